# What scripts/gpu_test and scripts/gpu_bench share; sourced from the repository's root.

gpu_fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

# Sets build, bundles and rest from the command line.
gpu_arguments() {
  build=build/release
  bundles=()
  rest=()
  while (($# > 0)); do
    case $1 in
      --build | --bundle)
        (($# >= 2)) || gpu_fail "$1 needs a value"
        if [[ $1 == --build ]]; then build=$2; else bundles+=("$2"); fi
        shift 2
        ;;
      *)
        rest+=("$1")
        shift
        ;;
    esac
  done
}

# Makes sure that there is a GPU and exports what the programs need.
gpu_setup() {
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader ||
      gpu_fail "nvidia-smi finds no GPU"
  else
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libcuda\.so\.1' ||
      gpu_fail "no GPU here: neither nvidia-smi nor libcuda.so.1 is found; install the NVIDIA driver"
  fi
  local file
  if ((${#bundles[@]} == 0)); then
    for file in "$build"/bundles/*.ctbundle; do
      if [[ -f $file ]]; then bundles+=("$file"); fi
    done
  fi
  for file in "${bundles[@]}"; do
    [[ -f $file ]] || gpu_fail "no bundle $file"
  done
  if ((${#bundles[@]} > 0)); then
    CUTILE_BUNDLE=$(IFS=: && echo "${bundles[*]}")
    export CUTILE_BUNDLE
    echo "kernels from $CUTILE_BUNDLE"
  fi
  export CUTILE_DEVICE=${CUTILE_DEVICE:-cuda:0}
}
