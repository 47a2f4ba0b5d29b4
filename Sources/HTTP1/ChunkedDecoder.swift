import Bytes

/// The chunked transfer coding (RFC 9112, section 7.1), decoded in place: data is reported as a range of the input.
struct ChunkedDecoder: Sendable {
    enum Event: Equatable {
        case needMore
        case data(Range<Int>)
        case end
        case failure(ParseFailure)
    }

    private enum State: Sendable {
        /// Within the hexadecimal size.
        case size(Int, digits: Int)
        /// Within what follows the size after a semicolon.
        case chunkExtension(Int)
        /// At the line feed after the size line.
        case sizeLineFeed(Int)
        /// This many bytes of data are still to come.
        case data(Int)
        case dataReturn
        case dataLineFeed
        case trailer
    }

    private var state = State.size(0, digits: 0)
    private var extensionBytesLeft: Int
    private var trailer: [UInt8] = []
    private var trailerScanner = HeadScanner.trailer
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
        extensionBytesLeft = limits.chunkExtensionBytes
    }

    /// `bodyLeft` is how much data may still come; a chunk that announces more fails before its data is read.
    mutating func next(_ input: Span<UInt8>, _ position: inout Int, bodyLeft: Int) -> Event {
        while position < input.count {
            switch state {
            case .data(let left):
                let end = position + min(left, input.count - position)
                defer { position = end }
                state = left == end - position ? .dataReturn : .data(left - (end - position))
                return .data(position..<end)
            case .trailer:
                return nextTrailer(input, &position)
            default:
                let byte = input[position]
                position += 1
                if let failure = advance(over: byte, bodyLeft: bodyLeft) { return .failure(failure) }
            }
        }
        return .needMore
    }

    /// Everything between two pieces of data, a byte at a time.
    private mutating func advance(over byte: UInt8, bodyLeft: Int) -> ParseFailure? {
        switch (state, byte) {
        case (.size(let size, let digits), _):
            return sizeByte(byte, size: size, digits: digits, bodyLeft: bodyLeft)
        case (.chunkExtension(let size), ASCII.carriageReturn):
            state = .sizeLineFeed(size)
        case (.chunkExtension, _):
            return extensionByte(byte)
        case (.sizeLineFeed(let size), ASCII.lineFeed):
            state = size == 0 ? .trailer : .data(size)
        case (.dataReturn, ASCII.carriageReturn):
            state = .dataLineFeed
        case (.dataLineFeed, ASCII.lineFeed):
            state = .size(0, digits: 0)
        default:
            return .malformedChunk
        }
        return nil
    }

    private mutating func sizeByte(_ byte: UInt8, size: Int, digits: Int, bodyLeft: Int) -> ParseFailure? {
        if let digit = ASCII.hexValue(byte) {
            // Sixteen digits are any size there can be; more are leading zeros that only confuse.
            guard digits < 16, size >> 59 == 0 else { return .malformedChunk }
            state = .size(size << 4 | Int(digit), digits: digits + 1)
            return nil
        }
        guard digits > 0 else { return .malformedChunk }
        guard size <= bodyLeft else { return .bodyTooLarge }
        switch byte {
        case ASCII.carriageReturn:
            state = .sizeLineFeed(size)
            return nil
        case ASCII.semicolon:
            state = .chunkExtension(size)
            return extensionByte(byte)
        default:
            return .malformedChunk
        }
    }

    private mutating func extensionByte(_ byte: UInt8) -> ParseFailure? {
        guard isFieldByte(byte), extensionBytesLeft > 0 else { return .malformedChunk }
        extensionBytesLeft -= 1
        return nil
    }

    /// Trailers are checked and dropped: no field of ours may arrive after the body (RFC 9110, section 6.5).
    private mutating func nextTrailer(_ input: Span<UInt8>, _ position: inout Int) -> Event {
        let window = min(input.count - position, limits.trailerBytes - trailer.count)
        let piece = input.extracting(position..<(position + window))
        switch trailerScanner.scan(piece) {
        case .invalid(let failure):
            return .failure(failure)
        case .incomplete:
            trailer.append(copying: piece)
            position += window
            return trailer.count == limits.trailerBytes ? .failure(.trailersTooLarge) : .needMore
        case .complete(let count):
            trailer.append(copying: piece.extracting(..<count))
            position += count
            let section = trailer.span.extracting(..<(trailer.count - 2))
            do throws(ParseFailure) {
                _ = try FieldSection.parse(section, limit: limits.headerCount)
                return .end
            } catch {
                return .failure(error == .tooManyHeaders ? .trailersTooLarge : .malformedTrailer)
            }
        }
    }
}
