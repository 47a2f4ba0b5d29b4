# docker build -t parley .
# docker run -p 8080:8080 -v parley-data:/data parley

FROM swift:6.3-bookworm AS builder
WORKDIR /build
COPY Makefile ./
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends make \
    && make deps \
    && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Migrations Migrations
COPY Sources Sources
COPY Tests Tests
RUN make build && strip -o /parley .build/release/parley

FROM debian:bookworm-slim
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends \
        ca-certificates libcmark-gfm0.29.0.gfm.6 libgumbo1 \
        libsqlite3-0 libssl3 libstdc++6 libvips42 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --home-dir /data --shell /usr/sbin/nologin parley \
    && install -d -o parley -g parley -m 700 /data
COPY --from=builder /parley /usr/local/bin/parley

USER parley
WORKDIR /data
VOLUME /data
ENV PARLEY_HOST=0.0.0.0 PARLEY_PORT=8080 PARLEY_DATA=/data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["parley", "health"]
CMD ["parley", "serve"]
