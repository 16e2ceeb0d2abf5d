# Flags that every target of this project is built with: warnings are errors.
add_library(cutile_flags INTERFACE)
target_compile_options(cutile_flags INTERFACE -Wall -Wextra -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns wrongly about "text" + std::string (its bug 105651).
  target_compile_options(cutile_flags INTERFACE -Wno-restrict)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 calls a function that it declares deprecated itself, in std::stable_sort. A loop of src/cpu/isa that this
  # compiler does not vectorise is slower, not wrong.
  target_compile_options(cutile_flags INTERFACE -Wno-deprecated-declarations -Wno-pass-failed)
endif()
if(CUTILE_SANITIZE)
  target_compile_options(cutile_flags INTERFACE -fsanitize=${CUTILE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(cutile_flags INTERFACE -fsanitize=${CUTILE_SANITIZE})
endif()

# cutile_layer(NAME layers...): the sources of src/NAME as an object library that sees the layers named and the public
# headers. All layers together make libcutile.
function(cutile_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(cutile_${name} OBJECT ${sources})
  target_include_directories(cutile_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(cutile_${name} PRIVATE cutile_flags fmt::fmt-header-only Threads::Threads)
  set_property(GLOBAL APPEND PROPERTY CUTILE_LAYERS cutile_${name})
endfunction()
