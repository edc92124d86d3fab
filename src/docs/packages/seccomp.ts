/**
 * System calls that the container may use. Compared with Docker’s own profile, a process without capabilities may also
 * create user namespaces and change its root folder in one (`unshare`, `clone` with any flag, `chroot`): the sandbox of
 * Chromium needs it. What only administrators need is left out: mounting, modules, tracing, keys, clocks, io_uring.
 */
const allowed = `
  accept accept4 access alarm arch_prctl bind brk cachestat capget capset chdir chmod chown chroot clock_getres
  clock_gettime clock_nanosleep clone clone3 close close_range connect copy_file_range creat dup dup2 dup3
  epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit
  exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl
  fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex
  futex_requeue futex_wait futex_waitv futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents
  getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority
  getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid
  getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents
  io_pgetevents io_setup io_submit ioctl ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset
  landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr lseek lsetxattr
  lstat madvise map_shadow_stack membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall
  mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap mseal msgctl msgget
  msgrcv msgsnd msync munlock munlockall munmap nanosleep newfstatat open openat openat2 pause pidfd_getfd
  pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv
  preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg
  recvmsg remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction
  rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
  sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
  sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
  select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto set_robust_list set_thread_area
  set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid
  setreuid setrlimit setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd
  signalfd4 socket socketpair splice stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tee
  tgkill time timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
  timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat unshare utime utimensat utimes
  vfork wait4 waitid write writev
`;

/** System calls that newer kernels have are unknown to the container: programs fall back to older ones. */
const notImplemented = 38;

/** The seccomp profile of the image, in the format of Docker and Podman. */
export function seccompProfile(): object {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: notImplemented,
    archMap: [
      { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
      { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
    ],
    syscalls: [{ names: allowed.trim().split(/\s+/), action: 'SCMP_ACT_ALLOW' }],
  };
}
