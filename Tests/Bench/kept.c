// Asks the same again and again over one kept connection, plain or with TLS.
//
//   kept -a PORT -t SECONDS -R READS [-P PIDS] [-T]
//
// READS is a file of requests, used in turn. The certificate is not looked at. Prints one line of JSON.
#include "common.h"
#include <openssl/ssl.h>

static SSL *secure;
static int plain;

static bool put(const struct request *request) {
    if (!secure) return send_all(plain, request->bytes, request->size);
    return SSL_write(secure, request->bytes, (int)request->size) == (int)request->size;
}

static ssize_t get(char *bytes, size_t room) {
    return secure ? SSL_read(secure, bytes, (int)room) : recv(plain, bytes, room, 0);
}

int main(int count, char **words) {
    int port = 0;
    double seconds = 3;
    bool is_secure = false;
    const char *file = NULL, *pids = NULL;
    for (int option; (option = getopt(count, words, "a:t:R:P:T")) != -1;) switch (option) {
        case 'a': port = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'R': file = optarg; break;
        case 'P': pids = optarg; break;
        case 'T': is_secure = true; break;
        default: return 3;
    }
    errno = 0;
    if (!file) give_up("words");
    struct list reads = read_list(file, port, "");
    if (!reads.count) give_up("an empty list");
    plain = call_port(port, 0);
    errno = 0;
    if (is_secure) {
        secure = SSL_new(SSL_CTX_new(TLS_client_method()));
        if (!secure || !SSL_set_fd(secure, plain) || SSL_connect(secure) != 1) give_up("the TLS handshake");
    }
    size_t room = 8 << 20, good = 0, bad = 0;
    char *bytes = need_memory(malloc(room));
    double used = processor(pids), begin = now();
    while (now() < begin + seconds) {
        if (!put(&reads.all[reads.next++ % reads.count])) give_up("a request");
        struct answer answer = {0};
        for (size_t size = 0; !answer.head || size < answer.whole;) {
            ssize_t got = get(bytes + size, room - size);
            errno = 0;
            if (got <= 0 || !look(&answer, bytes, size += (size_t)got) || size == room) give_up("an answer");
        }
        if (answer.status == 200) good++; else bad++;
    }
    double took = now() - begin, cost = processor(pids) - used;
    printf("{\"good\":%zu,\"bad\":%zu,\"unanswered\":0,\"rate\":%.1f,\"cost\":%.4f,\"protocol\":\"%s\",\"first_bad\":\"\"}\n",
           good, bad, (double)good / took, cost * 1e6 / (double)good, secure ? SSL_get_version(secure) : "none");
    return 0;
}
