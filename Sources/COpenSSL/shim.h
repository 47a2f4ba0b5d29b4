#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>

/* Macros with arguments do not reach Swift; these give it their values. */
static const uint64_t parley_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t parley_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t parley_prefer_server_ciphers = SSL_OP_CIPHER_SERVER_PREFERENCE;
