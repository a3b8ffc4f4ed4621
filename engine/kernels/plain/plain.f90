! The plain kernels in Fortran: the twins of plain.c, of elements of 8 bytes. Each is the function
! streamgage_double_KERNEL with the signature of range_kernel.h. Fortran's arguments do not overlap,
! so that the loops need no promise of it.

function init(a, b, c, d, s, first, last) bind(c, name="streamgage_double_init") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = s
  end do
end function init

function sum_(a, b, c, d, s, first, last) bind(c, name="streamgage_double_sum") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(in) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  !$omp simd reduction(+:value)
  do i = first, last - 1
    value = value + a(i)
  end do
end function sum_

function dot(a, b, c, d, s, first, last) bind(c, name="streamgage_double_dot") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(in) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  !$omp simd reduction(+:value)
  do i = first, last - 1
    value = value + a(i) * b(i)
  end do
end function dot

function copy(a, b, c, d, s, first, last) bind(c, name="streamgage_double_copy") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = b(i)
  end do
end function copy

function scale_(a, b, c, d, s, first, last) bind(c, name="streamgage_double_scale") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = s * b(i)
  end do
end function scale_

function update(a, b, c, d, s, first, last) bind(c, name="streamgage_double_update") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = s * a(i)
  end do
end function update

function add(a, b, c, d, s, first, last) bind(c, name="streamgage_double_add") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = b(i) + c(i)
  end do
end function add

function triad(a, b, c, d, s, first, last) bind(c, name="streamgage_double_triad") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = b(i) + s * c(i)
  end do
end function triad

function daxpy(a, b, c, d, s, first, last) bind(c, name="streamgage_double_daxpy") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = a(i) + s * b(i)
  end do
end function daxpy

function striad(a, b, c, d, s, first, last) bind(c, name="streamgage_double_striad") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = b(i) + c(i) * d(i)
  end do
end function striad

function sdaxpy(a, b, c, d, s, first, last) bind(c, name="streamgage_double_sdaxpy") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = a(i) + b(i) * c(i)
  end do
end function sdaxpy

function bracket(a, b, c, d, s, first, last) bind(c, name="streamgage_double_bracket") result(value)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: first, last
  real(c_double), value :: s
  real(c_double), intent(inout) :: a(0:*)
  real(c_double), intent(in) :: b(0:*), c(0:*), d(0:*)
  real(c_double) :: value
  integer(c_int64_t) :: i
  value = 0
  do i = first, last - 1
    a(i) = a(i) + b(i) * c(i) + d(i)
  end do
end function bracket
