import 'package:shared_preferences/shared_preferences.dart';

Future<void> save(String token) async {
  final prefs = await SharedPreferences.getInstance();
  await prefs.setString('access_token', token); // ← here
}
