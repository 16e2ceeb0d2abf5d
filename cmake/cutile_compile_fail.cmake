# cutile_compile_fail(NAME file): a case of misuse that must not compile. Its file is compiled twice by ctest, without
# making code: as it is, which must work, and with CUTILE_EXPECT_FAIL defined, which must give an error that matches the
# regular expression in the file's first line, "// expect: REGEX". Both happen with g++ and, where it is found, clang++-19;
# a first line "// expect clang: REGEX" or "// expect g++: REGEX" limits the case to that compiler.
find_program(CUTILE_GXX NAMES g++)
find_program(CUTILE_CLANGXX NAMES clang++-19)

function(cutile_compile_fail name file)
  file(STRINGS ${file} first LIMIT_COUNT 1)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  if(NOT first MATCHES "^// expect( clang| g\\+\\+)?: .")
    message(FATAL_ERROR "${file}: the first line must be '// expect: REGEX'")
  endif()
  string(STRIP "${CMAKE_MATCH_1}" only)
  foreach(compiler g++ clang)
    if(compiler STREQUAL "g++")
      set(program ${CUTILE_GXX})
    else()
      set(program ${CUTILE_CLANGXX})
    endif()
    if(NOT program OR (only AND NOT only STREQUAL compiler))
      continue()
    endif()
    add_test(NAME compile_fail.${name}.${compiler}
             COMMAND ${CMAKE_COMMAND} -D COMPILER=${program} -D KIND=${compiler} -D FILE=${file}
                     -D "INCLUDES=${PROJECT_SOURCE_DIR}/include;${PROJECT_SOURCE_DIR}" -P
                     ${PROJECT_SOURCE_DIR}/cmake/run_compile_fail.cmake)
    set_tests_properties(compile_fail.${name}.${compiler} PROPERTIES LABELS no_sanitizer)
  endforeach()
endfunction()
