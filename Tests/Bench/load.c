// Sends prepared requests over many connections and looks at every answer.
//
//   load -a PORT -c CONNECTIONS -t SECONDS [-R READS] [-W WRITES -s PERCENT] [-r RATE] [-P PIDS] [-z] [-o]
//
// READS and WRITES are files of requests (see common.h). Reads are sent again and again, or once with -o; each write
// once. Without -r a connection sends as soon as it has its answer; with it, request i is due i/RATE seconds after the
// start, whatever the server does, and its time counts from then. -z asks for packed answers. Prints one line of JSON.
#include "common.h"

enum { MOST = 1024 };
static struct connection {
    int socket;
    bool busy, is_write;
    double since;
    struct answer answer;
    char *bytes;
    size_t size, room;
} connections[MOST];

static struct list reads, writes;
static struct times read_times, write_times;
static struct connection *idle[MOST];
static size_t idle_count, good, bad, unanswered, sent, bytes_in;
static double share, owed;
static int poll_set, port;
static bool once, is_packed;
static char first_bad[240];

static bool is_empty(void) {
    if (writes.count && writes.next == writes.count) return true;
    return once && reads.next >= reads.count;
}

static void open_connection(struct connection *c) {
    c->socket = call_port(port, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poll_set, EPOLL_CTL_ADD, c->socket, &event)) give_up("epoll");
}

static void send_next(struct connection *c, double due) {
    owed += share;
    c->is_write = writes.count && owed >= 100;
    if (c->is_write) owed -= 100;
    struct list *list = c->is_write ? &writes : &reads;
    struct request *request = &list->all[list->next++ % list->count];
    c->since = due;
    c->busy = true;
    c->size = 0;
    c->answer = (struct answer){0};
    sent++;
    send_all(c->socket, request->bytes, request->size);  // What went wrong is seen when the answer is read.
}

static void refuse(const char *why, const char *bytes, size_t size) {
    if (!first_bad[0]) snprintf(first_bad, sizeof first_bad, "%s: %.*s", why, (int)(size < 200 ? size : 200), bytes);
}

static void finish(struct connection *c) {
    const char *body = c->bytes + c->answer.head;
    size_t size = c->answer.whole - c->answer.head;
    bool is_good = c->answer.status == 200 && (is_packed || memmem(body, size < 4096 ? size : 4096, "\"success\"", 9)
                                               || memmem(body + (size > 4096 ? size - 4096 : 0),
                                                         size > 4096 ? 4096 : size, "\"success\"", 9));
    if (is_good) {
        good++;
        note(c->is_write ? &write_times : &read_times, now() - c->since);
    } else {
        bad++;
        refuse("answer", body, size);
    }
    c->busy = false;
    idle[idle_count++] = c;
}

static void hear(struct connection *c) {
    if (c->room - c->size < 65536) c->bytes = need_memory(realloc(c->bytes, c->room = 2 * c->room + 131072));
    ssize_t got = recv(c->socket, c->bytes + c->size, c->room - c->size, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0) {
        c->size += (size_t)got;
        bytes_in += (size_t)got;
    }
    if (got > 0 && c->busy && look(&c->answer, c->bytes, c->size)) {
        if (c->answer.head && c->size >= c->answer.whole) finish(c);
        return;
    }
    if (c->busy) {
        unanswered++;
        refuse("hung up or not HTTP", c->bytes, c->size);
        c->busy = false;
        idle[idle_count++] = c;
    }
    close(c->socket);
    open_connection(c);
}

static void wait_for_answers(double until) {
    struct epoll_event events[256];
    double left = until - now();
    struct timespec time = {(time_t)(left > 0 ? left : 0), left > 0 ? (long)((left - (double)(time_t)left) * 1e9) : 0};
    int count = epoll_pwait2(poll_set, events, 256, &time, NULL);
    for (int i = 0; i < count; i++) hear(events[i].data.ptr);
}

int main(int count, char **words) {
    int wanted = 32;
    double seconds = 3, rate = 0;
    const char *read_file = NULL, *write_file = NULL, *pids = NULL;
    for (int option; (option = getopt(count, words, "a:c:t:R:W:s:r:P:zo")) != -1;) switch (option) {
        case 'a': port = atoi(optarg); break;
        case 'c': wanted = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'R': read_file = optarg; break;
        case 'W': write_file = optarg; break;
        case 's': share = atof(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'P': pids = optarg; break;
        case 'z': is_packed = true; break;
        case 'o': once = true; break;
        default: return 3;
    }
    errno = 0;
    if (wanted < 1 || wanted > MOST || (!read_file && !write_file)) give_up("words");
    const char *fields = is_packed ? "Accept-Encoding: gzip\r\n" : "";
    if (read_file) reads = read_list(read_file, port, fields);
    if (write_file) writes = read_list(write_file, port, fields);
    if (!read_file) share = 100;
    if (!reads.count && !writes.count) give_up("an empty list");
    poll_set = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < wanted; i++) {
        open_connection(&connections[i]);
        idle[idle_count++] = &connections[i];
    }
    double used = processor(pids), begin = now(), end = begin + seconds, last = begin;
    while ((last = now()) < end && !is_empty()) {
        double next = end;
        while (idle_count && !is_empty()) {
            double due = rate > 0 ? begin + (double)sent / rate : now();
            if (due > now()) {
                next = due < end ? due : end;
                break;
            }
            send_next(idle[--idle_count], due);
        }
        wait_for_answers(next);
    }
    while (idle_count < (size_t)wanted && now() < last + 10) wait_for_answers(now() + 0.1);
    unanswered += (size_t)wanted - idle_count;
    double took = now() - begin, cost = processor(pids) - used;
    sort_times(&read_times);
    sort_times(&write_times);
    for (char *c = first_bad; *c; c++) if (*c < ' ' || *c == '"' || *c == '\\' || *c > '~') *c = ' ';
    printf("{\"good\":%zu,\"bad\":%zu,\"unanswered\":%zu,\"seconds\":%.6f,\"rate\":%.1f,\"processor\":%.6f,\"cost\":%.4f,"
           "\"bytes\":%zu,\"reads\":{\"count\":%zu,\"p50\":%.4f,\"p99\":%.4f},\"writes\":{\"count\":%zu,\"p50\":%.4f,"
           "\"p99\":%.4f},\"first_bad\":\"%s\"}\n",
           good, bad, unanswered, took, (double)good / took, cost, good ? cost * 1e6 / (double)good : 0, bytes_in,
           read_times.count, part(&read_times, 0.5), part(&read_times, 0.99), write_times.count,
           part(&write_times, 0.5), part(&write_times, 0.99), first_bad);
    return 0;
}
