"""The words for what may be claimed. A label that is not here is never spoken. Data.

Left out because stills that lack them drew them: cell phone, umbrella, skis, kite, frisbee, tie,
mouse, sink, toilet, remote, bed, bench, banana, traffic light, handbag, backpack, suitcase, boat
(roofs), clock (whatever is round), vase (cups and flowers).
"""

from __future__ import annotations

PERSON = "person"
FACE = "face"
POSTURE = "posture"
"""A body by its limbs: never spoken, it vouches for a person."""
FACE_NETS = frozenset({"blazeface", "face-mesh"})
"""The detectors that know a person by the face alone."""

NAMES: dict[str, tuple[str, str]] = {
    PERSON: ("a person", "people"),
    "bicycle": ("a bicycle", "bicycles"),
    "car": ("a car", "cars"),
    "motorcycle": ("a motorcycle", "motorcycles"),
    "airplane": ("an airplane", "airplanes"),
    "bus": ("a bus", "buses"),
    "train": ("a train", "trains"),
    "truck": ("a truck", "trucks"),
    "bird": ("a bird", "birds"),
    "cat": ("a cat", "cats"),
    "dog": ("a dog", "dogs"),
    "horse": ("a horse", "horses"),
    "sheep": ("a sheep", "sheep"),
    "cow": ("a cow", "cows"),
    "elephant": ("an elephant", "elephants"),
    "bear": ("a bear", "bears"),
    "zebra": ("a zebra", "zebras"),
    "giraffe": ("a giraffe", "giraffes"),
    "bottle": ("a bottle", "bottles"),
    "cup": ("a cup", "cups"),
    "bowl": ("a bowl", "bowls"),
    "pizza": ("a pizza", "pizzas"),
    "cake": ("a cake", "cakes"),
    "chair": ("a chair", "chairs"),
    "couch": ("a couch", "couches"),
    "potted plant": ("a potted plant", "potted plants"),
    "dining table": ("a table", "tables"),
    "laptop": ("a laptop", "laptops"),
    "teddy bear": ("a teddy bear", "teddy bears"),
    "sports ball": ("a ball", "balls"),
    "building": ("a building", "buildings"),
    "rocket": ("a rocket", "rockets"),
}
"""Label -> one of it, many of it. A person's race, gender, age and mood are never guessed."""

SCENERY: dict[str, tuple[str, ...]] = {
    "building": (
        *("palace", "church", "monastery", "castle", "boathouse", "bell cote", "mosque", "stupa"),
        *("dome", "barn", "library", "triumphal arch", "planetarium"),
    ),
    "rocket": ("missile", "projectile", "space shuttle"),
}
"""Label -> the ImageNet classes that make it up: none is sure alone, their sum is."""

KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "airplane": (("airliner", "airliner"), ("warplane", "warplane")),
    "bear": (("brown bear", "sloth bear"),),
    "bicycle": (("bicycle-built-for-two", "bicycle-built-for-two"), ("mountain bike",) * 2),
    "bird": (
        ("cock", "great grey owl"),
        ("black grouse", "black swan"),
        ("white stork", "albatross"),
    ),
    "bus": (("minibus", "minibus"), ("school bus", "school bus"), ("trolleybus", "trolleybus")),
    "car": (
        *(("beach wagon",) * 2, ("cab",) * 2, ("convertible",) * 2, ("jeep",) * 2),
        *(("limousine",) * 2, ("minivan",) * 2, ("racer",) * 2, ("sports car",) * 2),
    ),
    "cat": (("tabby", "Egyptian cat"),),
    "cow": (("ox", "bison"),),
    "cup": (("coffee mug", "coffee mug"), ("cup", "cup"), ("espresso", "espresso")),
    "dog": (("Chihuahua", "Mexican hairless"),),
    "elephant": (("Indian elephant", "African elephant"),),
    "horse": (("sorrel", "sorrel"),),
    "laptop": (("laptop", "laptop"), ("notebook", "notebook")),
    "motorcycle": (("moped", "moped"), ("motor scooter", "motor scooter")),
    "pizza": (("pizza", "pizza"),),
    "sheep": (("ram", "bighorn"),),
    "zebra": (("zebra", "zebra"),),
}
"""COCO label -> the ImageNet classes of its kind, as first and last of each run of them."""

_COCO = (
    "person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,,"
    "stop sign,parking meter,bench,bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,,"
    "backpack,umbrella,,,handbag,tie,suitcase,frisbee,skis,snowboard,sports ball,kite,"
    "baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,,wine glass,cup,fork,"
    "knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,"
    "chair,couch,potted plant,bed,,dining table,,,toilet,,tv,laptop,mouse,remote,keyboard,"
    "cell phone,microwave,oven,toaster,sink,refrigerator,,book,clock,vase,scissors,teddy bear,"
    "hair drier,toothbrush"
)
COCO = tuple(_COCO.split(","))
"""The 90 COCO classes from number 1 on; ten numbers are empty."""
