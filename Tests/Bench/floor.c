// The least that a server of pages and rooms can do: one thread, no storage, no rights, nothing read of what is posted.
//
//   floor -a PORT [-b FILE] [-m]
//
// GET answers the bytes of FILE, GET with Upgrade makes a reader of the room named by the path, and POST sends its body
// to all readers of the room named by its path as one text frame. With -m frames that come to a room in one turn of the
// loop leave as one piece for each reader; without, each is sent by itself. Whoever does not take all at once is dropped.
// Knows one Sec-WebSocket-Key only, the one that fan sends. Prints a line when it listens.
#include "common.h"
#include <signal.h>
#include <sys/prctl.h>

enum { FILES = 1 << 16, ROOMS = 64 };
static const char WELCOME[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n";
static const char TAKEN[] = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"status\":\"success\"}";

struct room { char path[128]; int *readers; size_t count, space; char *frames; size_t size, frames_space; };
static struct client { char *bytes; size_t size, space; struct room *room; } *clients[FILES];
static struct room rooms[ROOMS];
static char *page;
static size_t page_size;
static int poll_set;
static bool merges;

static struct room *find_room(const char *path, size_t size) {
    for (int i = 0; i < ROOMS; i++) {
        if (!rooms[i].path[0]) snprintf(rooms[i].path, sizeof rooms[i].path, "%.*s", (int)size, path);
        if (strlen(rooms[i].path) == size && !memcmp(rooms[i].path, path, size)) return &rooms[i];
    }
    errno = 0;
    give_up("number of rooms");
}

static void drop(int file) {
    struct client *client = clients[file];
    struct room *room = client->room;
    for (size_t i = 0; room && i < room->count; i++)
        if (room->readers[i] == file) {
            room->readers[i] = room->readers[--room->count];
            break;
        }
    free(client->bytes);
    free(client);
    clients[file] = NULL;
    close(file);
}

static void tell(struct room *room) {
    for (size_t i = room->count; i-- > 0;)
        if (send(room->readers[i], room->frames, room->size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)room->size)
            drop(room->readers[i]);
    room->size = 0;
}

static void publish(struct room *room, const char *body, size_t size) {
    if (room->frames_space < room->size + size + 4)
        room->frames = need_memory(realloc(room->frames, room->frames_space = 2 * (room->size + size) + 4096));
    char *frame = room->frames + room->size;
    size_t head = size < 126 ? 2 : 4;  // Bodies are shorter than 64 KiB here.
    frame[0] = (char)0x81;
    frame[1] = (char)(size < 126 ? size : 126);
    if (head == 4) {
        frame[2] = (char)(size >> 8);
        frame[3] = (char)size;
    }
    memcpy(frame + head, body, size);
    room->size += head + size;
    if (!merges) tell(room);
}

static void join(struct client *client, int file, struct room *room) {
    if (room->count == room->space)
        room->readers = need_memory(realloc(room->readers, (room->space = 2 * room->space + 64) * sizeof *room->readers));
    room->readers[room->count++] = file;
    client->room = room;
}

// Serves the requests that are whole; false when the client is to go.
static bool serve(struct client *client, int file) {
    size_t done = 0;
    while (client->size > done && !client->room) {
        char *start = client->bytes + done, *end = memmem(start, client->size - done, "\r\n\r\n", 4);
        if (!end) break;
        size_t whole = (size_t)(end - start) + 4, body = 0;
        char *length = memmem(start, whole, "Content-Length: ", 16);
        if (length) body = strtoul(length + 16, NULL, 10);
        if (client->size - done < whole + body) break;
        char *path = memchr(start, ' ', whole);
        char *after = path ? memchr(path + 1, ' ', whole - (size_t)(path - start) - 1) : NULL;
        if (!after) return false;
        size_t size = (size_t)(after - path) - 1;
        const char *answer = page;
        size_t answer_size = page_size;
        if (start[0] == 'P') {
            publish(find_room(path + 1, size), start + whole, body);
            answer = TAKEN;
            answer_size = sizeof TAKEN - 1;
        } else if (memmem(start, whole, "Upgrade: websocket", 18)) {
            join(client, file, find_room(path + 1, size));
            answer = WELCOME;
            answer_size = sizeof WELCOME - 1;
        }
        if (send(file, answer, answer_size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)answer_size) return false;
        done += whole + body;
    }
    memmove(client->bytes, client->bytes + done, client->size -= done);
    return true;
}

static void hear(int file) {
    struct client *client = clients[file];
    if (client->space - client->size < 8192)
        client->bytes = need_memory(realloc(client->bytes, client->space = 2 * client->space + 16384));
    ssize_t got = recv(file, client->bytes + client->size, client->space - client->size, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return drop(file);
    if (client->room) return;  // What readers say does not matter.
    client->size += (size_t)got;
    if (!serve(client, file)) drop(file);
}

static void welcome(int listener) {
    int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC), one = 1;
    if (file < 0) return;
    if (file >= FILES) {
        close(file);
        return;
    }
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    clients[file] = need_memory(calloc(1, sizeof **clients));
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
    if (epoll_ctl(poll_set, EPOLL_CTL_ADD, file, &event)) give_up("epoll");
}

static void read_page(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) give_up(name);
    long size = ftell(file);
    rewind(file);
    page = need_memory(malloc((size_t)size + 128));
    int head = sprintf(page, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %ld\r\n\r\n", size);
    if (fread(page + head, 1, (size_t)size, file) != (size_t)size) give_up(name);
    page_size = (size_t)head + (size_t)size;
    fclose(file);
}

int main(int count, char **words) {
    int port = 0, one = 1;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int option; (option = getopt(count, words, "a:b:m")) != -1;) switch (option) {
        case 'a': port = atoi(optarg); break;
        case 'b': read_page(optarg); break;
        case 'm': merges = true; break;
        default: return 3;
    }
    allow_many_files();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) give_up("listen");
    poll_set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event events[256] = {{.events = EPOLLIN, .data.fd = listener}};
    epoll_ctl(poll_set, EPOLL_CTL_ADD, listener, events);
    printf("listening\n");
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(poll_set, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == listener) welcome(listener);
            else if (clients[events[i].data.fd]) hear(events[i].data.fd);
        }
        for (int i = 0; merges && i < ROOMS && rooms[i].path[0]; i++)
            if (rooms[i].size) tell(&rooms[i]);
    }
}
