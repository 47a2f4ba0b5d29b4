#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* GNU prototypes that glibc shows only under _GNU_SOURCE, which would clash with the Glibc module. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int *, int);
