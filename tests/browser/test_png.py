"""A picture with a palette shows what it showed before, as a browser sees it."""

from __future__ import annotations

from base64 import b64encode

from browser.conftest import NewPage
from browser.png import with_palette
from browser.serving import Served

PIXELS = """async (address) => {
    const image = new Image(); image.src = address; await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return Array.from(canvas.getImageData(0, 0, image.width, image.height).data);
}"""


def test_a_picture_with_a_palette_is_nearly_the_same_and_smaller(served: Served, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 300, "height": 200})
    page.goto(served.address("/subscriptions"))
    before = page.screenshot()
    after = with_palette(before)
    page.goto("about:blank")
    old, new = (page.evaluate(PIXELS, f"data:image/png;base64,{b64encode(one).decode()}") for one in (before, after))
    assert len(after) < len(before)
    assert len(old) == len(new) == 300 * 200 * 4
    differing = sum(abs(one - other) > 16 for one, other in zip(old, new, strict=True))
    assert differing < len(old) / 1000
