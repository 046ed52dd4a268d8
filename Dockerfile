FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# PostgreSQL refuses to run as root.
RUN mkdir /data && chown node:node /data
WORKDIR /app
# Owned by root: the service runs as `node` and cannot write the program.
COPY --from=build /app ./
USER node
VOLUME /data
EXPOSE 3000
# Also unhealthy while the database is away.
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Lets running requests finish and shuts the database down.
STOPSIGNAL SIGTERM
CMD ["node", "--disable-warning=ExperimentalWarning", "lib/runtime/supervisor/start.ts"]
