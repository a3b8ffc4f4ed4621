! A kernel of your own in Fortran: the types of streamgage/kernel.h, and what declares it by them.
!
! `streamgage measure --kernel-file my.f90` compiles this module before your file. Yours has a
! function that declares the kernel, and a function that does its iterations:
!
!     function declare() bind(C, name="streamgage_declare_kernel") result(kernel)
!       use streamgage_kernel
!       type(c_ptr) :: kernel
!       call add_array("a", "double", STREAMGAGE_WRITE)
!       call add_array("b", "double", STREAMGAGE_READ)
!       kernel = declared("my-copy", "a = b", run=copy)
!     end function
!
! examples/kernels/triad.f90 is a whole one.
module streamgage_kernel
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int32_t), parameter :: STREAMGAGE_KERNEL_VERSION = 1
  integer, parameter :: STREAMGAGE_MOST_ARRAYS = 16
  integer(c_int32_t), parameter :: STREAMGAGE_READ = 1
  integer(c_int32_t), parameter :: STREAMGAGE_WRITE = 2
  integer(c_int32_t), parameter :: STREAMGAGE_READ_WRITE = 3

  type, bind(C) :: streamgage_array_t
    type(c_ptr) :: name
    type(c_ptr) :: type
    integer(c_int32_t) :: access
    real(c_double) :: per_iteration
    integer(c_int64_t) :: extra
    real(c_double) :: bytes
  end type

  ! What a function of the kernel is called with. The iterations of the call are begin + 1 to end
  ! where arrays begin with 1.
  type, bind(C) :: streamgage_call_t
    type(c_ptr) :: arrays
    integer(c_int64_t) :: begin
    integer(c_int64_t) :: end
    integer(c_int64_t) :: iterations
    real(c_double) :: scalar
    real(c_double) :: value
  end type

  type, bind(C) :: streamgage_kernel_t
    integer(c_int32_t) :: version
    type(c_ptr) :: name
    type(c_ptr) :: formula
    type(c_ptr) :: arrays
    integer(c_int32_t) :: array_count
    real(c_double) :: flops
    integer(c_int64_t) :: grain
    type(c_funptr) :: run
    type(c_funptr) :: fill
    type(c_funptr) :: check
  end type

  ! What a kernel's functions look like.
  abstract interface
    function streamgage_run(call) bind(C) result(value)
      import
      type(streamgage_call_t), intent(in) :: call
      real(c_double) :: value
    end function

    subroutine streamgage_fill(call) bind(C)
      import
      type(streamgage_call_t), intent(in) :: call
    end subroutine

    function streamgage_check(call, why, room) bind(C) result(wrong)
      import
      type(streamgage_call_t), intent(in) :: call
      type(c_ptr), value :: why
      integer(c_size_t), value :: room
      integer(c_int64_t) :: wrong
    end function
  end interface

  ! The array of a call with the number, from 1, that it has in the declaration.
  interface get_array
    module procedure get_double, get_float, get_int32, get_int64
  end interface

  integer, parameter, private :: LONGEST = 256
  integer, private, save :: array_count = 0
  type(streamgage_array_t), private, target, save :: arrays(STREAMGAGE_MOST_ARRAYS)
  ! A kernel may declare one array too many, so that the mistake is reported.
  integer, private, save :: declared_arrays = 0
  type(streamgage_kernel_t), private, target, save :: the_kernel
  character(kind=c_char), private, target, save :: names(LONGEST, STREAMGAGE_MOST_ARRAYS)
  character(kind=c_char), private, target, save :: types(LONGEST, STREAMGAGE_MOST_ARRAYS)
  character(kind=c_char), private, target, save :: kernel_name(LONGEST), kernel_formula(LONGEST)

contains

  ! Declares the next array; what is left out is as in streamgage/kernel.h.
  subroutine add_array(name, element_type, access, per_iteration, extra, bytes)
    character(len=*), intent(in) :: name, element_type
    integer(c_int32_t), intent(in) :: access
    real(c_double), intent(in), optional :: per_iteration, bytes
    integer(c_int64_t), intent(in), optional :: extra
    declared_arrays = declared_arrays + 1
    if (declared_arrays > STREAMGAGE_MOST_ARRAYS) return
    array_count = declared_arrays
    call copy_text(name, names(:, array_count))
    call copy_text(element_type, types(:, array_count))
    arrays(array_count)%name = c_loc(names(1, array_count))
    arrays(array_count)%type = c_loc(types(1, array_count))
    arrays(array_count)%access = access
    arrays(array_count)%per_iteration = 0
    if (present(per_iteration)) arrays(array_count)%per_iteration = per_iteration
    arrays(array_count)%extra = 0
    if (present(extra)) arrays(array_count)%extra = extra
    arrays(array_count)%bytes = 0
    if (present(bytes)) arrays(array_count)%bytes = bytes
  end subroutine

  ! The declaration, for the function streamgage_declare_kernel to return.
  function declared(name, formula, run, flops, grain, fill, check) result(kernel)
    character(len=*), intent(in) :: name, formula
    procedure(streamgage_run) :: run
    real(c_double), intent(in), optional :: flops
    integer(c_int64_t), intent(in), optional :: grain
    procedure(streamgage_fill), optional :: fill
    procedure(streamgage_check), optional :: check
    type(c_ptr) :: kernel
    call copy_text(name, kernel_name)
    call copy_text(formula, kernel_formula)
    the_kernel%version = STREAMGAGE_KERNEL_VERSION
    the_kernel%name = c_loc(kernel_name)
    the_kernel%formula = c_loc(kernel_formula)
    the_kernel%arrays = c_loc(arrays)
    the_kernel%array_count = int(declared_arrays, c_int32_t)
    the_kernel%flops = 0
    if (present(flops)) the_kernel%flops = flops
    the_kernel%grain = 0
    if (present(grain)) the_kernel%grain = grain
    the_kernel%run = c_funloc(run)
    the_kernel%fill = c_null_funptr
    if (present(fill)) the_kernel%fill = c_funloc(fill)
    the_kernel%check = c_null_funptr
    if (present(check)) the_kernel%check = c_funloc(check)
    declared_arrays = 0  ! it may be asked for again
    kernel = c_loc(the_kernel)
  end function

  ! A sentence of a check, as long as there is room for.
  subroutine say(why, room, text)
    type(c_ptr), intent(in), value :: why
    integer(c_size_t), intent(in), value :: room
    character(len=*), intent(in) :: text
    character(kind=c_char), pointer :: to(:)
    integer(c_size_t) :: i, length
    if (room < 1 .or. .not. c_associated(why)) return
    call c_f_pointer(why, to, [room])
    length = min(int(len_trim(text), c_size_t), room - 1)
    do i = 1, length
      to(i) = text(i:i)
    end do
    to(length + 1) = c_null_char
  end subroutine

  subroutine copy_text(text, to)
    character(len=*), intent(in) :: text
    character(kind=c_char), intent(out) :: to(LONGEST)
    integer :: i, length
    length = min(len_trim(text), LONGEST - 1)
    do i = 1, length
      to(i) = text(i:i)
    end do
    to(length + 1) = c_null_char
  end subroutine

  ! As many elements as streamgage allocates.
  function elements_of(call, number) result(elements)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    integer(c_int64_t) :: elements
    real(c_double) :: each
    each = arrays(number)%per_iteration
    if (each == 0) each = 1
    elements = ceiling(each * real(call%iterations, c_double), c_int64_t) + arrays(number)%extra
  end function

  function address_of(call, number) result(address)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    type(c_ptr) :: address
    type(c_ptr), pointer :: addresses(:)
    call c_f_pointer(call%arrays, addresses, [STREAMGAGE_MOST_ARRAYS])
    address = addresses(number)
  end function

  subroutine get_double(call, number, array)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    real(c_double), pointer, contiguous, intent(out) :: array(:)
    call c_f_pointer(address_of(call, number), array, [elements_of(call, number)])
  end subroutine

  subroutine get_float(call, number, array)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    real(c_float), pointer, contiguous, intent(out) :: array(:)
    call c_f_pointer(address_of(call, number), array, [elements_of(call, number)])
  end subroutine

  subroutine get_int32(call, number, array)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    integer(c_int32_t), pointer, contiguous, intent(out) :: array(:)
    call c_f_pointer(address_of(call, number), array, [elements_of(call, number)])
  end subroutine

  subroutine get_int64(call, number, array)
    type(streamgage_call_t), intent(in) :: call
    integer, intent(in) :: number
    integer(c_int64_t), pointer, contiguous, intent(out) :: array(:)
    call c_f_pointer(address_of(call, number), array, [elements_of(call, number)])
  end subroutine
end module
