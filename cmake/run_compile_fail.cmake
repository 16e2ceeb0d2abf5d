# One case of cutile_compile_fail; run by ctest with COMPILER, KIND, FILE and INCLUDES.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${FILE} first LIMIT_COUNT 1)
string(REGEX REPLACE "^// expect[^:]*: " "" expected "${first}")

set(command ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror)
if(KIND STREQUAL "clang")
  list(APPEND command -Wconsumed -fno-caret-diagnostics)
else()
  list(APPEND command -fno-diagnostics-show-caret -fmessage-length=0)
endif()
foreach(folder ${INCLUDES})
  list(APPEND command -I${folder})
endforeach()
set(ENV{LC_ALL} C) # plain quotation marks in messages

execute_process(COMMAND ${command} ${FILE} RESULT_VARIABLE result ERROR_VARIABLE messages)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the control, without CUTILE_EXPECT_FAIL, must compile:\n${messages}")
endif()

execute_process(COMMAND ${command} -DCUTILE_EXPECT_FAIL ${FILE} RESULT_VARIABLE result ERROR_VARIABLE messages)
if(result EQUAL 0)
  message(FATAL_ERROR "with CUTILE_EXPECT_FAIL it must not compile, but does")
endif()
# Only what is said as an error counts, not the notes after it.
string(REPLACE ";" "," lines "${messages}")
string(REGEX REPLACE "[][]" "" lines "${lines}") # brackets would join list elements
string(REPLACE "\n" ";" lines "${lines}")
list(FILTER lines INCLUDE REGEX "error: ")
if(NOT lines MATCHES "${expected}")
  message(FATAL_ERROR "no error matches '${expected}':\n${messages}")
endif()
