from abc import ABC, abstractmethod

class Shape(ABC):
    @abstractmethod
    def describe_part(self, name):
        pass

class Circle(Shape):
    def describe_part(self, name):
        return name

class Square(Shape):
    def describe_part(self, name):
        return '' + name
