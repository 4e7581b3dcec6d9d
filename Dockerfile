# Ludus as a service: no rights, one volume, a health check.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE NOTICE ./
COPY src ./src
RUN pip wheel --no-cache-dir --wheel-dir /wheels -c requirements.lock ".[postgres]"

FROM python:3.12-slim
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
