import COpenSSL

/// A new P-256 key.
final class PrivateKey {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        OpenSSLError.clear()
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw .cannotMake("a private key") }
        pointer = key
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// PKCS #8, not encrypted.
    func pem() throws(TLSError) -> String {
        try PEM.write { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }
}

/// A new X.509 certificate of version 3 (RFC 5280).
final class Certificate {
    let pointer: OpaquePointer

    /// Signed by `issuer`, or by itself when that is nil. `extensions` are in OpenSSL's text form.
    init(
        name: String, days: Int, key: PrivateKey, issuer: (certificate: Certificate, key: PrivateKey)?,
        extensions: [(nid: Int32, value: String)]
    ) throws(TLSError) {
        OpenSSLError.clear()
        guard let pointer = X509_new() else { throw .cannotMake("a certificate") }
        self.pointer = pointer
        let issuerPointer = issuer?.certificate.pointer ?? pointer
        let subject = X509_get_subject_name(pointer)
        let bytes = [UInt8](name.utf8)
        // Version numbers count from zero. Browsers cache by serial number, so it must not repeat.
        guard X509_set_version(pointer, 2) == 1,
            setSerialNumber(),
            X509_gmtime_adj(X509_getm_notBefore(pointer), -3600) != nil,
            X509_time_adj_ex(X509_getm_notAfter(pointer), Int32(clamping: days), 0, nil) != nil,
            X509_NAME_add_entry_by_NID(
                subject, NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1,
            X509_set_issuer_name(pointer, X509_get_subject_name(issuerPointer)) == 1,
            X509_set_pubkey(pointer, key.pointer) == 1,
            extensions.allSatisfy({ add($0.nid, $0.value, issuer: issuerPointer) }),
            X509_sign(pointer, issuer?.key.pointer ?? key.pointer, EVP_sha256()) > 0
        else { throw .cannotMake("a certificate") }
    }

    deinit {
        X509_free(pointer)
    }

    func pem() throws(TLSError) -> String {
        try PEM.write { PEM_write_bio_X509($0, pointer) }
    }

    private func setSerialNumber() -> Bool {
        // Positive and at most 20 bytes (RFC 5280, section 4.1.2.2).
        var bytes = SecureRandom.bytes(16)
        bytes[0] = bytes[0] & 0x7F | 0x40
        let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil
    }

    private func add(_ nid: Int32, _ value: String, issuer: OpaquePointer) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
        guard let found = X509V3_EXT_conf_nid(nil, &context, nid, value) else { return false }
        defer { X509_EXTENSION_free(found) }
        return X509_add_ext(pointer, found, -1) == 1
    }
}

private enum PEM {
    static func write(_ body: (OpaquePointer) -> Int32) throws(TLSError) -> String {
        OpenSSLError.clear()
        guard let memory = BIO_new(BIO_s_mem()) else { throw .cannotMake("PEM text") }
        defer { BIO_free(memory) }
        guard body(memory) == 1 else { throw .cannotMake("PEM text") }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        let count = BIO_read(memory, &bytes, Int32(clamping: bytes.count))
        guard count == bytes.count else { throw .cannotMake("PEM text") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TLSError {
    fileprivate static func cannotMake(_ what: String) -> TLSError {
        TLSError("OpenSSL cannot make \(what): \(OpenSSLError.takeReason()).")
    }
}
