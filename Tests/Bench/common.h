// What the programs beside this file share: a clock, processor time, lists of requests, and times in order.
#pragma once
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

_Noreturn static inline void give_up(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "not as it should be");
    exit(3);
}

static inline void *need_memory(void *got) {
    if (!got) give_up("memory");
    return got;
}

static inline double clock_seconds(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) ? 0 : (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline double now(void) { return clock_seconds(CLOCK_MONOTONIC); }

// Processor seconds of all threads of the processes in a list such as "12,13"; nanoseconds are counted.
static inline double processor(const char *pids) {
    double sum = 0;
    clockid_t clock;
    for (char *rest; pids && *pids; pids = *rest == ',' ? rest + 1 : rest) {
        long pid = strtol(pids, &rest, 10);
        if (rest == pids) break;
        if (!clock_getcpuclockid((pid_t)pid, &clock)) sum += clock_seconds(clock);
    }
    return sum;
}

static inline void allow_many_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) give_up("limit of files");
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// A connection to this machine; nothing else is ever called.
static inline int call_port(int port, int receive_bytes) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) give_up("socket");
    if (receive_bytes) setsockopt(made, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(made, (struct sockaddr *)&address, sizeof address)) give_up("connect");
    return made;
}

static inline bool send_all(int to, const char *bytes, size_t size) {
    while (size) {
        ssize_t sent = send(to, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

// Times in milliseconds, kept one by one.
struct times { float *all; size_t count, room; };

static inline void note(struct times *times, double seconds) {
    if (times->count == times->room) {
        times->room = times->room ? times->room * 2 : 4096;
        times->all = need_memory(realloc(times->all, times->room * sizeof *times->all));
    }
    times->all[times->count++] = (float)(seconds * 1e3);
}

static inline int compare_times(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static inline void sort_times(struct times *times) {
    if (times->count) qsort(times->all, times->count, sizeof *times->all, compare_times);
}

// Of sorted times: what the given part of them does not exceed.
static inline double part(const struct times *times, double share) {
    if (!times->count) return 0;
    size_t place = (size_t)(share * (double)times->count);
    return times->all[place < times->count ? place : times->count - 1];
}

struct request { char *bytes; size_t size; };
struct list { struct request *all; size_t count, next; };

// Reads a file of lines "GET /path" and "POST /path {json}" and makes whole requests of them.
static inline struct list read_list(const char *file, int port, const char *fields) {
    struct list list = {0};
    size_t room = 0, line_room = 0;
    char *line = NULL;
    FILE *in = fopen(file, "r");
    if (!in) give_up(file);
    for (ssize_t size; (size = getline(&line, &line_room, in)) > 0;) {
        if (line[size - 1] == '\n') line[--size] = 0;
        char *path = strchr(line, ' '), *body = path ? strchr(path + 1, ' ') : NULL;
        if (!path) continue;
        *path++ = 0;
        if (body) *body++ = 0;
        if (list.count == room) {
            room = room ? room * 2 : 256;
            list.all = need_memory(realloc(list.all, room * sizeof *list.all));
        }
        char length[80] = "";
        if (body) snprintf(length, sizeof length, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
        char *bytes;
        int made = asprintf(&bytes, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s\r\n%s", line, path, port, fields,
                            length, body ? body : "");
        if (made < 0) give_up("memory");
        list.all[list.count++] = (struct request){bytes, (size_t)made};
    }
    free(line);
    fclose(in);
    return list;
}

// How far an answer has come. `head` is 0 until its head is whole.
struct answer { size_t head, whole; int status; };

// Looks at what has come; false when it can be no answer. Bodies have a Content-Length here.
static inline bool look(struct answer *answer, const char *bytes, size_t size) {
    if (answer->head) return true;
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    if (!end) return size < 1 << 16;
    if (size < 12 || memcmp(bytes, "HTTP/1.", 7)) return false;
    answer->status = atoi(bytes + 9);
    answer->head = (size_t)(end - bytes) + 4;
    for (const char *line = bytes; line < end; line = memchr(line, '\n', (size_t)(end + 2 - line)) + 1)
        if (!strncasecmp(line, "content-length:", 15)) {
            answer->whole = answer->head + strtoul(line + 15, NULL, 10);
            return true;
        }
    answer->whole = answer->head;
    return answer->status == 204 || answer->status == 304 || answer->status == 101;
}
