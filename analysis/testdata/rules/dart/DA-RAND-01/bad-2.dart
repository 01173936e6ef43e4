import 'dart:math';

void send(User user) {
  final otp = Random().nextInt(999999); // ← here
  mail(user, otp);
}
