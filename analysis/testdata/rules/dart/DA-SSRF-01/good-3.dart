import 'package:http/http.dart' as http;

Future<String> load(String url) async => (await http.get(Uri.parse(url))).body;
