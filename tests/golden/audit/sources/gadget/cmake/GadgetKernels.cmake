# gadget_add_kernel(NAME ARCHITECTURES ...) builds one device object.
function(gadget_add_kernel name)
  cmake_parse_arguments(KERNEL "" "" "ARCHITECTURES" ${ARGN})
  set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${KERNEL_ARCHITECTURES}")
endfunction()

function(gadget_add_test name)
  add_test(NAME ${name} COMMAND ${name}_test)
endfunction()
