# The server alone; the page and the games are in the wheel.
FROM python:3.13-slim AS build
WORKDIR /src
RUN pip install --no-cache-dir "uv>=0.5,<1"
COPY . .
RUN uv export --locked --no-dev --no-emit-workspace --quiet --output-file requirements.txt \
    && uv build --quiet --all-packages --wheel --out-dir /wheels

FROM python:3.13-slim
COPY --from=build /src/requirements.txt /tmp/requirements.txt
COPY --from=build /wheels /tmp/wheels
RUN pip install --no-cache-dir -r /tmp/requirements.txt \
    && pip install --no-cache-dir --no-deps /tmp/wheels/*.whl \
    && rm -r /tmp/requirements.txt /tmp/wheels \
    && useradd --system --uid 10001 --create-home hanpan \
    && install -d -o hanpan /data
USER hanpan
ENV HANPAN_HOST=0.0.0.0 HANPAN_PORT=8000 HANPAN_DATA=/data
EXPOSE 8000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["hanpan"]
CMD ["serve"]
