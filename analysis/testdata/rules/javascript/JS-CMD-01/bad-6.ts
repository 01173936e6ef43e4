import { Controller, Get, Query } from '@nestjs/common'
import { execSync } from 'child_process'
@Controller()
export class Tools {
  @Get('whois')
  whois(@Query('domain') domain: string) {
    return execSync('whois ' + domain).toString() // ← here
  }
}
