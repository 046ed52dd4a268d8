FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev
COPY . .
RUN npm run package && mkdir /opt/sluice && tar -xzf dist/sluice-*.tar.gz --strip-components=1 -C /opt/sluice

# The archive has its own Node.js.
FROM debian:bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# PostgreSQL refuses to run as root. Volumes of former images belong to the user 1000.
RUN useradd --uid 1000 --user-group --no-create-home sluice \
  && mkdir /data && chown sluice:sluice /data \
  && ln -s /opt/sluice/sluice /usr/local/bin/sluice
# Owned by root: the service cannot write the program.
COPY --from=build /opt/sluice /opt/sluice
WORKDIR /opt/sluice
USER sluice
VOLUME /data
EXPOSE 3000
# Also unhealthy while the database is away.
HEALTHCHECK --start-period=60s CMD ["node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Lets running requests finish and shuts the database down.
STOPSIGNAL SIGTERM
CMD ["sluice", "start"]
