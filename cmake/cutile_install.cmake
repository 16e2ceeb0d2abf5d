# `cmake --install`: the library, its headers, the ready kernels and what find_package(cutile) reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cutile)

install(TARGETS cutile EXPORT cutileTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cutile/kernels
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT cutileTargets NAMESPACE cutile:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cutileConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/cutileConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cutileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cutileConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cutileConfigVersion.cmake
        DESTINATION ${package_dir})
