// Opens many WebSockets, posts, and checks that every reader gets every post once.
//
//   fan -a PORT -n READERS -S SOCKETS -W WRITES -t SECONDS [-c IN_FLIGHT | -r RATE] [-k STUCK] [-P PIDS]
//   fan -a PORT -n READERS -S SOCKETS -H
//
// SOCKETS is a file of lines "GET /path", used in turn; WRITES one of posts, number i of which has "mark-" and i in eight
// digits in its text. Without -r IN_FLIGHT posts are on the way: the next goes out when all readers have an earlier one.
// With it post i is due i/RATE seconds after the start, and its time counts from then. The first STUCK readers never
// read until the end, when what is left for them is looked at. -H only holds the sockets open until standard input ends;
// it prints a line once all are open and nothing more comes. Otherwise one line of JSON is printed.
#include "common.h"
#include <fcntl.h>

enum { POSTERS = 64, BUFFER = 1 << 18 };
static struct reader {
    int socket;
    bool is_stuck, is_open;
    char *rest;        // The beginning of a frame.
    size_t rest_size;
    uint8_t *heard;    // A bit for each post.
    long newest;
    int close_code;
} *readers;
static struct poster { int socket; bool busy; long number; char bytes[1 << 15]; size_t size; struct answer answer; } posters[POSTERS];
static struct post { double due; int heard; bool is_answered; } *posts;

static struct list writes;
static struct times times;
static size_t wanted, stuck, frames, bytes_in, doubled, reordered, refused, malformed, closed, delivered, last_place;
static int poll_set, port;
static char first_bad[240];
static char buffer[BUFFER];

static void answer_frame(struct reader *r, int kind, const uint8_t *payload, size_t size) {
    uint8_t frame[131] = {(uint8_t)(0x80 | kind), (uint8_t)(0x80 | size)};  // The mask is four zeros.
    memcpy(frame + 6, payload, size);
    send_all(r->socket, (char *)frame, size + 6);
}

static void hear_post(struct reader *r, const char *text, size_t size) {
    const char *mark = last_place + 13 <= size && !memcmp(text + last_place, "mark-", 5) ? text + last_place
                                                                                         : memmem(text, size, "mark-", 5);
    if (!mark || mark + 13 > text + size) return;
    last_place = (size_t)(mark - text);
    long number = strtol(mark + 5, NULL, 10);
    if (number < 0 || (size_t)number >= writes.next) return;
    if (r->heard[number / 8] & 1 << number % 8) {
        doubled++;
        return;
    }
    r->heard[number / 8] |= (uint8_t)(1 << number % 8);
    if (number < r->newest) reordered++;
    r->newest = number;
    delivered++;
    posts[number].heard++;
    note(&times, now() - posts[number].due);
}

// One frame; its size, or 0 while it is not whole.
static size_t hear_frame(struct reader *r, const uint8_t *bytes, size_t size) {
    if (size < 2) return 0;
    size_t length = bytes[1] & 127, head = 2;
    if (length == 126) {
        if (size < 4) return 0;
        length = (size_t)bytes[2] << 8 | bytes[3];
        head = 4;
    } else if (length == 127) {
        if (size < 10) return 0;
        length = 0;
        for (int i = 2; i < 10; i++) length = length << 8 | bytes[i];
        head = 10;
    }
    if (bytes[1] & 128 || bytes[0] & 0x70 || !(bytes[0] & 0x80) || length > 1 << 22) {
        malformed++;
        return size;
    }
    if (size < head + length) return 0;
    int kind = bytes[0] & 15;
    frames++;
    if (kind == 1) hear_post(r, (const char *)bytes + head, length);
    if (kind == 8) r->close_code = length >= 2 ? bytes[head] << 8 | bytes[head + 1] : 1005;
    if (kind == 9 && length < 126) answer_frame(r, 10, bytes + head, length);
    return head + length;
}

static void take_in(struct reader *r, size_t size) {
    size_t done = 0, step;
    while (done < size && (step = hear_frame(r, (uint8_t *)buffer + done, size - done))) done += step;
    free(r->rest);
    r->rest = NULL;
    if ((r->rest_size = size - done)) memcpy(r->rest = need_memory(malloc(r->rest_size)), buffer + done, r->rest_size);
}

// Reads once; false at the end of the stream.
static bool hear(struct reader *r, int how) {
    if (r->rest_size >= BUFFER / 2) give_up("a frame is too large");
    if (r->rest_size) memcpy(buffer, r->rest, r->rest_size);
    ssize_t got = recv(r->socket, buffer + r->rest_size, BUFFER - r->rest_size, how);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    bytes_in += (size_t)got;
    take_in(r, r->rest_size + (size_t)got);
    return true;
}

static void open_reader(struct reader *r, const struct request *request) {
    r->socket = call_port(port, r->is_stuck ? 4096 : 0);
    r->newest = -1;
    if (!send_all(r->socket, request->bytes, request->size)) give_up("handshake");
    size_t size = 0;
    const char *end = NULL;
    while (!end) {
        ssize_t got = recv(r->socket, buffer + size, BUFFER - size, 0);
        if (got <= 0) give_up("handshake");
        end = memmem(buffer, size += (size_t)got, "\r\n\r\n", 4);
    }
    errno = 0;
    if (memcmp(buffer, "HTTP/1.1 101", 12)) {
        fprintf(stderr, "%.*s\n", (int)(size < 300 ? size : 300), buffer);
        give_up("the answer to a handshake");
    }
    size_t head = (size_t)(end - buffer) + 4;
    memmove(buffer, buffer + head, size - head);
    take_in(r, size - head);
    r->is_open = true;
    if (r->is_stuck) return;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)(r - readers)};
    if (epoll_ctl(poll_set, EPOLL_CTL_ADD, r->socket, &event)) give_up("epoll");
}

static void hear_answer(struct poster *p) {
    ssize_t got = recv(p->socket, p->bytes + p->size, sizeof p->bytes - p->size, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    errno = 0;
    if (got <= 0) give_up("the server hung up on who posts");
    p->size += (size_t)got;
    if (!look(&p->answer, p->bytes, p->size)) give_up("an answer to a post");
    if (!p->answer.head || p->size < p->answer.whole) return;
    posts[p->number].is_answered = true;
    if (p->answer.status != 200) {
        refused++;
        if (!first_bad[0]) snprintf(first_bad, sizeof first_bad, "%.200s", p->bytes + p->answer.head);
    }
    p->busy = false;
}

static int turn(double until) {
    struct epoll_event events[512];
    double left = until - now();
    struct timespec time = {(time_t)(left > 0 ? left : 0), left > 0 ? (long)((left - (double)(time_t)left) * 1e9) : 0};
    int count = epoll_pwait2(poll_set, events, 512, &time, NULL);
    for (int i = 0; i < count; i++) {
        uint64_t who = events[i].data.u64;
        if (who >= wanted) {
            hear_answer(&posters[who - wanted]);
        } else if (!hear(&readers[who], MSG_DONTWAIT)) {
            closed++;
            readers[who].is_open = false;
            close(readers[who].socket);
        }
    }
    return count;
}

// Until nothing came for so long, or the time is over.
static void settle(double quiet, double most) {
    double end = now() + most;
    for (double last = now(); now() < end && now() < last + quiet;)
        if (turn(now() + 0.02) > 0) last = now();
}

static bool is_through(const struct poster *p) {
    return !p->busy && (p->number < 0 || (size_t)posts[p->number].heard >= wanted - stuck);
}

static void send_post(struct poster *p, double due) {
    p->number = (long)writes.next;
    posts[p->number].due = due;
    struct request *request = &writes.all[writes.next++];
    p->busy = true;
    p->size = 0;
    p->answer = (struct answer){0};
    if (!send_all(p->socket, request->bytes, request->size)) give_up("a post");
}

static void run(int in_flight, double rate, double seconds) {
    double begin = now(), end = begin + seconds;
    while (now() < end && writes.next < writes.count) {
        double next = end;
        for (int i = 0; i < in_flight && writes.next < writes.count; i++) {
            struct poster *p = &posters[i];
            if (rate > 0 ? p->busy : !is_through(p)) continue;
            double due = rate > 0 ? begin + (double)writes.next / rate : now();
            if (due > now()) {
                next = due < end ? due : end;
                break;
            }
            send_post(p, due);
        }
        turn(next);
    }
    for (double last = now() + 10; now() < last && delivered < writes.next * (wanted - stuck);) turn(now() + 0.05);
    for (double last = now() + 2; now() < last;) {
        bool is_busy = false;
        for (int i = 0; i < in_flight; i++) is_busy |= posters[i].busy;
        if (!is_busy) break;
        turn(now() + 0.05);
    }
}

// What became of those who did not read: how many were told 1013, how many were hung up on without a word.
static void look_at_stuck(size_t *told, size_t *ended) {
    struct timeval patience = {.tv_sec = 2};
    for (size_t i = 0; i < stuck; i++) {
        setsockopt(readers[i].socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        size_t before = delivered, counted = times.count;
        double end = now() + 5;
        while (now() < end && !readers[i].close_code) {
            errno = 0;
            size_t heard = bytes_in;
            if (!hear(&readers[i], 0)) {
                *ended += 1;
                break;
            }
            if (bytes_in == heard) break;
        }
        if (readers[i].close_code == 1013) *told += 1;
        delivered = before;
        times.count = counted;
    }
}

static void hold(void) {
    settle(0.5, 10);
    printf("open\n");
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = wanted};
    fcntl(0, F_SETFL, O_NONBLOCK);
    epoll_ctl(poll_set, EPOLL_CTL_ADD, 0, &event);
    for (;;) {
        struct epoll_event events[512];
        int count = epoll_wait(poll_set, events, 512, 1000);
        for (int i = 0; i < count; i++) {
            if (events[i].data.u64 == wanted) exit(0);
            if (!hear(&readers[events[i].data.u64], MSG_DONTWAIT)) give_up("the server closed a socket");
        }
    }
}

int main(int count, char **words) {
    int in_flight = 1;
    bool holds = false;
    double seconds = 3, rate = 0;
    const char *socket_file = NULL, *write_file = NULL, *pids = NULL;
    for (int option; (option = getopt(count, words, "a:n:S:W:t:c:r:k:P:H")) != -1;) switch (option) {
        case 'a': port = atoi(optarg); break;
        case 'n': wanted = (size_t)atol(optarg); break;
        case 'S': socket_file = optarg; break;
        case 'W': write_file = optarg; break;
        case 't': seconds = atof(optarg); break;
        case 'c': in_flight = atoi(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'k': stuck = (size_t)atol(optarg); break;
        case 'P': pids = optarg; break;
        case 'H': holds = true; break;
        default: return 3;
    }
    errno = 0;
    if (!wanted || !socket_file || (!write_file && !holds) || in_flight > POSTERS || stuck >= wanted) give_up("words");
    if (rate > 0) in_flight = 32;
    allow_many_files();
    struct list sockets = read_list(socket_file, port,
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
    if (write_file) writes = read_list(write_file, port, "");
    if (!sockets.count) give_up("an empty list");
    poll_set = epoll_create1(EPOLL_CLOEXEC);
    posts = need_memory(calloc(writes.count + 1, sizeof *posts));
    readers = need_memory(calloc(wanted, sizeof *readers));
    for (size_t i = 0; i < wanted; i++) {
        readers[i].heard = need_memory(calloc(writes.count / 8 + 1, 1));
        readers[i].is_stuck = i < stuck;
        open_reader(&readers[i], &sockets.all[i % sockets.count]);
        if (i % 64 == 0) turn(now());
    }
    if (holds) hold();
    for (int i = 0; i < in_flight; i++) {
        posters[i].number = -1;
        posters[i].socket = call_port(port, 0);
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = wanted + (uint64_t)i};
        if (epoll_ctl(poll_set, EPOLL_CTL_ADD, posters[i].socket, &event)) give_up("epoll");
    }
    settle(0.6, 10);
    frames = bytes_in = 0;
    double used = processor(pids), begin = now();
    run(in_flight, rate, seconds);
    double took = now() - begin, cost = processor(pids) - used;
    size_t expected = (writes.next - refused) * (wanted - stuck), told = 0, ended = 0, got = delivered, heard = bytes_in;
    sort_times(&times);
    if (stuck) look_at_stuck(&told, &ended);
    for (char *c = first_bad; *c; c++) if (*c < ' ' || *c == '"' || *c == '\\' || *c > '~') *c = ' ';
    printf("{\"posts\":%zu,\"refused\":%zu,\"delivered\":%zu,\"lost\":%zu,\"doubled\":%zu,\"reordered\":%zu,"
           "\"malformed\":%zu,\"closed\":%zu,\"seconds\":%.6f,\"rate\":%.1f,\"processor\":%.6f,\"cost\":%.4f,"
           "\"frame\":%.1f,\"p50\":%.4f,\"p99\":%.4f,\"told\":%zu,\"ended\":%zu,\"first_bad\":\"%s\"}\n",
           writes.next, refused, got, expected > got ? expected - got : 0, doubled, in_flight == 1 ? reordered : 0,
           malformed, closed, took, (double)got / took, cost, got ? cost * 1e6 / (double)got : 0,
           got ? (double)heard / (double)got : 0, part(&times, 0.5), part(&times, 0.99), told, ended, first_bad);
    return 0;
}
