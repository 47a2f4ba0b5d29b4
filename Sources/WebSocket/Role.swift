/// Which end of the connection this is: clients mask what they send, servers do not (RFC 6455, section 5.1).
package enum Role: Sendable {
    case server
    case client
}
