import 'package:app_links/app_links.dart';

Future<void> open(WebViewController controller) async {
  final link = await AppLinks().getInitialLink();
  await controller.runJavaScript("show('$link')"); // ← here
}
