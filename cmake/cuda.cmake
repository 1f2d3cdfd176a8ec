# CUDA is optional. Looks for nvcc by hand, since enable_language(CUDA) would end the configuration where the compiler is
# missing or broken; here that is a message, and the GPU worker is left out.
# Sets TILEWALK_HAVE_CUDA, and TILEWALK_NVCC to the compiler.
set(TILEWALK_HAVE_CUDA OFF)

# _tilewalk_try_nvcc(WHY): leaves the reason why CUDA cannot be used in WHY, or nothing.
function(_tilewalk_try_nvcc why)
  find_program(TILEWALK_NVCC nvcc HINTS "$ENV{CUDACXX}" ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
    PATH_SUFFIXES bin DOC "CUDA's compiler")
  if(NOT "$ENV{CUDACXX}" STREQUAL "" AND EXISTS "$ENV{CUDACXX}" AND NOT IS_DIRECTORY "$ENV{CUDACXX}")
    set(TILEWALK_NVCC "$ENV{CUDACXX}" CACHE FILEPATH "CUDA's compiler" FORCE)
  endif()
  if(NOT TILEWALK_NVCC)
    set(${why} "nvcc was not found: not on PATH, not in /usr/local/cuda/bin, not in CUDACXX" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${TILEWALK_NVCC}" --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE code TIMEOUT 30)
  if(NOT code EQUAL 0 OR NOT text MATCHES "release ([0-9]+\\.[0-9]+)")
    set(${why} "${TILEWALK_NVCC} does not tell its version" PARENT_SCOPE)
    return()
  endif()
  if(CMAKE_MATCH_1 VERSION_LESS 12.6)
    set(${why} "${TILEWALK_NVCC} is of CUDA ${CMAKE_MATCH_1}; 12.6 or newer is needed" PARENT_SCOPE)
    return()
  endif()
  # A whole program: finds a host compiler that nvcc refuses, missing headers and a missing libcudart_static.
  set(try "${CMAKE_BINARY_DIR}/try-cuda")
  file(MAKE_DIRECTORY "${try}")
  file(WRITE "${try}/try.cu" "#include <cuda.h>\n#include <cuda_fp16.h>\n#include <concepts>\n"
    "__global__ void k(__half* x) { *x = __float2half(1.f); }\n"
    "int main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() == cudaSuccess; }\n")
  execute_process(
    COMMAND "${TILEWALK_NVCC}" -std=c++20 -ccbin "${CMAKE_CXX_COMPILER}" -gencode=arch=compute_90a,code=sm_90a
            -o "${try}/try" "${try}/try.cu"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE code TIMEOUT 300)
  if(NOT code EQUAL 0)
    string(REGEX REPLACE "\n.*" "" text "${text}")
    set(${why} "${TILEWALK_NVCC} cannot build a small program with ${CMAKE_CXX_COMPILER}: ${text}" PARENT_SCOPE)
    return()
  endif()
  set(${why} "" PARENT_SCOPE)
endfunction()

if(TILEWALK_CUDA_WORKS AND TILEWALK_CUDA_WORKS STREQUAL "${TILEWALK_NVCC}" AND EXISTS "${TILEWALK_NVCC}")
  set(_why "")  # tried when this folder was configured before
else()
  _tilewalk_try_nvcc(_why)
endif()
if(_why STREQUAL "")
  set(TILEWALK_CUDA_WORKS "${TILEWALK_NVCC}" CACHE INTERNAL "")
  set(CMAKE_CUDA_COMPILER "${TILEWALK_NVCC}")
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  set(CMAKE_CUDA_ARCHITECTURES OFF)  # each kernel file names its own
  if(CCACHE)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND AND TARGET CUDA::cudart_static)
    set(TILEWALK_HAVE_CUDA ON)
    message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION}: the GPU worker is built")
  else()
    set(_why "the CUDA toolkit of ${TILEWALK_NVCC} has no static runtime library")
  endif()
endif()
if(NOT TILEWALK_HAVE_CUDA)
  message(STATUS "Without CUDA, so without the GPU worker: ${_why}")
endif()
unset(_why)
