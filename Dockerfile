# Stage one makes the wheel of Teller; stage two holds only what runs.
FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements-build.lock ./
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-build.lock
COPY pyproject.toml README.md LICENSE config.example.yaml ./
COPY bot ./bot
COPY core ./core
COPY teller_tools ./teller_tools
# As `make wheel` does.
RUN python -m hatchling build --target wheel --directory wheels

FROM python:3.13-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY requirements-postgres.lock ./
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-postgres.lock
COPY --from=build /src/wheels ./wheels
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --no-deps --no-index wheels/*.whl && rm -r wheels
RUN useradd --system --uid 10001 --create-home teller && mkdir -m 0700 /data && chown teller /data
USER teller
ENV TELLER_DATA_DIR=/data PYTHONUNBUFFERED=1
# A config.yaml in the volume is found here.
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["teller", "status", "--check"]
ENTRYPOINT ["teller"]
CMD ["run"]
