const lines = new Set();

/// A socket that comes back by itself.
class Line {
    tries = 0;
    timer = 0;
    socket = null;

    /// `address` is a path with its query; `on` has `opened`, `lost`, and `heard` for each event.
    constructor(address, on) {
        Object.assign(this, { address, on });
        this.dial();
        lines.add(this);
    }

    get isOpen() { return this.socket?.readyState === WebSocket.OPEN; }

    dial() {
        clearTimeout(this.timer);
        const last = this.socket;
        const socket = this.socket = new WebSocket(location.origin.replace('http', 'ws') + this.address);
        if (last) last.close();
        socket.onopen = () => {
            this.tries = 0;
            this.on.opened();
        };
        socket.onmessage = ({ data }) => socket === this.socket && this.on.heard(JSON.parse(data));
        socket.onclose = () => {
            if (socket !== this.socket) return;
            this.on.lost();
            this.timer = setTimeout(() => this.dial(), 200 + Math.random() * Math.min(8000, 500 * 2 ** this.tries++));
        };
    }

    hangUp() {
        clearTimeout(this.timer);
        lines.delete(this);
        const { socket } = this;
        this.socket = null;
        socket.close();
    }
}

addEventListener('offline', () => lines.forEach(line => line.socket.close()));
addEventListener('online', () => lines.forEach(line => line.dial()));
addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    for (const line of lines) if (line.socket.readyState > WebSocket.OPEN) line.dial();
});
