FROM node:22-bookworm-slim AS frontend
WORKDIR /srv/benchdash
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY frontend frontend
RUN npm run build

FROM python:3.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /srv/benchdash
RUN useradd --system --uid 1001 --home-dir /srv/benchdash benchdash
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt
COPY . .
COPY --from=frontend /srv/benchdash/frontend/dist frontend/dist
# Nothing secret is read or made here: the settings only want to be told something.
RUN DATABASE_URL=sqlite:///nowhere SECRET_KEY=build FIELD_ENCRYPTION_KEY=build HTTPS=false \
    python -m benchdash.workshop.static && chown -R benchdash var
USER 1001
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
CMD ["sh", "-c", "exec uvicorn benchdash.asgi:application --host $HOST --port $PORT --lifespan off"]
