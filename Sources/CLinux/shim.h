#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/* GNU prototypes that glibc shows only under _GNU_SOURCE, which would clash with the Glibc module. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int *, int);
extern int renameat2(int, const char *, int, const char *, unsigned int);
extern int sem_clockwait(void *, clockid_t, const struct timespec *);
extern int pthread_setname_np(pthread_t, const char *);

/* malloc keeps a heap for each of the first so many threads; others share them. */
static inline void parley_limit_heaps(int count) {
    mallopt(M_ARENA_MAX, count);
}

/* What is free in all heaps goes back. */
static inline void parley_trim_heaps(void) {
    malloc_trim(0);
}
