
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  void open(User user) { LOGGER.debug("user {} {}", user.getName(), user.getPassword()); } // ← here
}
