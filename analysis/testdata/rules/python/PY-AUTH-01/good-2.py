def area(width, height):
    assert width > 0
    return width * height
