FROM node:22-bookworm-slim AS frontend
WORKDIR /srv/benchdash
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY frontend frontend
RUN npm run build

FROM python:3.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /srv/benchdash
RUN useradd --uid 1001 --home-dir /srv/benchdash benchdash
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt
COPY manage.py CHANGELOG.md ./
COPY benchdash benchdash
COPY workers workers
COPY docs docs
COPY frontend/templates frontend/templates
COPY frontend/locale frontend/locale
COPY --from=frontend /srv/benchdash/frontend/dist frontend/dist
# COPY keeps the modes of the checkout, which other users may not be able to read. The secrets are
# placeholders: settings.py requires valid ones, and collecting static files uses neither.
RUN chmod -R a+rX . \
    && DATABASE_URL=sqlite:///nowhere HTTPS=false \
    SECRET_KEY=while-an-image-is-built-nothing-is-signed-with-this \
    FIELD_ENCRYPTION_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= \
    python manage.py prepare --static-only \
    && chown -R 1001 var
USER 1001
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
CMD ["sh", "-c", "exec uvicorn benchdash.asgi:application --host ${HOST:-127.0.0.1} --port ${PORT:-8000} --lifespan off --forwarded-allow-ips \"$TRUSTED_PROXIES\" --log-level warning --timeout-graceful-shutdown 3"]
