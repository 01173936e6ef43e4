using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var process = new Process();
    process.StartInfo.FileName = Request.Form["program"]; // ← here
    process.Start();
    return Ok();
  }
}
