import 'dart:math';

final color = Random().nextInt(0xffffff);
int roll() => Random().nextInt(6) + 1;
