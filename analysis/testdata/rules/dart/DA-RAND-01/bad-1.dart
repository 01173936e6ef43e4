import 'dart:math';

String generateToken() {
  final random = Random(); // ← here
  return List.generate(32, (_) => random.nextInt(16).toRadixString(16)).join();
}
