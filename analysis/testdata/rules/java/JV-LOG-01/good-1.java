
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  void open(String password) { log.info("password of length " + password.length()); }
}
