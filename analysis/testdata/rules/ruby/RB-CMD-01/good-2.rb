class ItemsController < ApplicationController
  def show
    system("convert #{Shellwords.escape(params[:file])} out.png")
    system("ls #{params[:dir].shellescape}")
  end
end
