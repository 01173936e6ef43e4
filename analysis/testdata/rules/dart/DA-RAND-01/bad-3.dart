import 'dart:math' as math;

class Session {
  String sessionId = math.Random().nextInt(1 << 32).toString(); // ← here
}
