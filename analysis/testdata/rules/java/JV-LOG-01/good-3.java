
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  void open(String passwordPolicy) { log.info("policy " + passwordPolicy); }
}
