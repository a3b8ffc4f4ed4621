! Triad in Fortran, which moves what triad.c moves: 24 bytes an iteration, and 32 where the lines of
! a are read before they are overwritten.
module my_triad
  use streamgage_kernel
  implicit none

contains

  function declare() bind(C, name="streamgage_declare_kernel") result(kernel)
    type(c_ptr) :: kernel
    call add_array("a", "double", STREAMGAGE_WRITE)
    call add_array("b", "double", STREAMGAGE_READ)
    call add_array("c", "double", STREAMGAGE_READ)
    kernel = declared("fortran-triad", "a = b + s*c", flops=2.0_c_double, run=run, &
                      fill=fill, check=check)
  end function

  function run(call) bind(C) result(nothing)
    type(streamgage_call_t), intent(in) :: call
    real(c_double) :: nothing
    real(c_double), pointer, contiguous :: a(:), b(:), c(:)
    call get_array(call, 1, a)
    call get_array(call, 2, b)
    call get_array(call, 3, c)
    call triad(a, b, c, call%scalar, call%begin + 1, call%end)
    nothing = 0
  end function

  ! Its arguments do not overlap, and the compiler knows it.
  subroutine triad(a, b, c, s, first, last)
    real(c_double), contiguous, intent(inout) :: a(:)
    real(c_double), contiguous, intent(in) :: b(:), c(:)
    real(c_double), intent(in) :: s
    integer(c_int64_t), intent(in) :: first, last
    integer(c_int64_t) :: i
    do i = first, last
      a(i) = b(i) + s * c(i)
    end do
  end subroutine

  subroutine fill(call) bind(C)
    type(streamgage_call_t), intent(in) :: call
    real(c_double), pointer, contiguous :: a(:), b(:), c(:)
    integer(c_int64_t) :: i
    call get_array(call, 1, a)
    call get_array(call, 2, b)
    call get_array(call, 3, c)
    do i = call%begin + 1, call%end
      a(i) = 0
      b(i) = value_of_b(i)
      c(i) = value_of_c(i)
    end do
  end subroutine

  ! All values are multiples of 1/16, so no sum of them is rounded.
  function check(call, why, room) bind(C) result(wrong)
    type(streamgage_call_t), intent(in) :: call
    type(c_ptr), value :: why
    integer(c_size_t), value :: room
    integer(c_int64_t) :: wrong, i
    real(c_double), pointer, contiguous :: a(:)
    real(c_double) :: expected
    character(len=80) :: text
    call get_array(call, 1, a)
    wrong = 0
    do i = call%begin + 1, call%end
      expected = value_of_b(i) + call%scalar * value_of_c(i)
      if (a(i) == expected) cycle
      if (wrong == 0) then
        write (text, "(a, i0, a, f0.4, a, f0.4, a)") "a(", i, ") is ", a(i), ", not ", expected, "."
        call say(why, room, text)
      end if
      wrong = wrong + 1
    end do
  end function

  pure function value_of_b(i) result(value)
    integer(c_int64_t), intent(in) :: i
    real(c_double) :: value
    value = real(mod(i, 17_c_int64_t) - 8, c_double) / 8
  end function

  pure function value_of_c(i) result(value)
    integer(c_int64_t), intent(in) :: i
    real(c_double) :: value
    value = real(mod(i, 13_c_int64_t) - 6, c_double) / 8
  end function
end module
