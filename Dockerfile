# Ludus as a service: no rights, one volume, a health check.
# The base is named by its full version.  A digest is safer still: see which one you get with
# `docker buildx imagetools inspect python:3.12.12-slim-bookworm`, and build with
# --build-arg BASE=python:3.12.12-slim-bookworm@sha256:...
ARG BASE=python:3.12.12-slim-bookworm
FROM ${BASE} AS build
WORKDIR /src
COPY pyproject.toml requirements.lock requirements-postgres.lock README.md LICENSE NOTICE ./
COPY src ./src
# Packages by hash; then ourselves, with the build backend that came by hash as well.
RUN pip install --no-cache-dir --require-hashes -r requirements.lock \
    && pip wheel --no-cache-dir --wheel-dir /wheels --require-hashes -r requirements.lock -r requirements-postgres.lock \
    && pip wheel --no-cache-dir --wheel-dir /wheels --no-deps --no-build-isolation .

FROM ${BASE}
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin ludus \
    && mkdir /data && chown ludus:ludus /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels "ludus-antiquus[postgres]" && rm -rf /wheels
USER ludus
WORKDIR /data
VOLUME /data
ENV LUDUS_DB=/data/ludus.db \
    LUDUS_HOST=0.0.0.0 \
    LUDUS_PORT=8000 \
    XDG_CACHE_HOME=/data/cache \
    PYTHONUNBUFFERED=1
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"LUDUS_PORT\"]}/healthz', timeout=4)"]
CMD ["ludus", "serve", "--no-browser"]
