"""The words for what may be claimed. A label that is not here is never spoken. Data.

Left out because stills that lack them drew them: cell phone, umbrella, skis, kite, frisbee, tie,
mouse, sink, toilet, remote, bed, bench, banana, traffic light, handbag, backpack, suitcase.
"""

from __future__ import annotations

PERSON = "person"
FACE = "face"

NAMES: dict[str, tuple[str, str]] = {
    PERSON: ("a person", "people"),
    "bicycle": ("a bicycle", "bicycles"),
    "car": ("a car", "cars"),
    "motorcycle": ("a motorcycle", "motorcycles"),
    "airplane": ("an airplane", "airplanes"),
    "bus": ("a bus", "buses"),
    "train": ("a train", "trains"),
    "truck": ("a truck", "trucks"),
    "boat": ("a boat", "boats"),
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
    "clock": ("a clock", "clocks"),
    "vase": ("a vase", "vases"),
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
